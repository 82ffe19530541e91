/*
 * ehframe.c - read .eh_frame; see ehframe.h
 */
#include "threads/ehframe.h"

#include <stdbool.h>
#include <string.h>

#include "cof.h"

/* DW_EH_PE_*, LSB core specification, 10.5.1. */
enum {
	PE_ABSPTR = 0x00, PE_UDATA4 = 0x03, PE_UDATA8 = 0x04,
	PE_SDATA4 = 0x0b, PE_SDATA8 = 0x0c,
	PE_FORMAT = 0x0f, PE_PCREL = 0x10, PE_HOW = 0x70, PE_INDIRECT = 0x80,
	PE_OMIT = 0xff,
};

/* The bytes not read yet. Once `bad`, every read gives 0. */
struct reader {
	const uint8_t *at, *end;
	bool           bad;
};

static void get(struct reader *r, void *out, size_t n)
{
	if (r->bad || (size_t)(r->end - r->at) < n) {
		r->bad = true;
		memset(out, 0, n);
		return;
	}
	memcpy(out, r->at, n);
	r->at += n;
}

static uint8_t get_u8(struct reader *r)
{
	uint8_t v;

	get(r, &v, sizeof(v));
	return v;
}

static uint32_t get_u32(struct reader *r)
{
	uint32_t v;

	get(r, &v, sizeof(v));
	return v;
}

static uint64_t get_u64(struct reader *r)
{
	uint64_t v;

	get(r, &v, sizeof(v));
	return v;
}

/* A ULEB128; or a LEB128 of either sign whose value does not matter. */
static uint64_t get_uleb(struct reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = get_u8(r);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return v;
}

/*
 * A value of this format, relative to its own address if the encoding says so.
 */
static uint64_t get_encoded(struct reader *r, uint8_t encoding)
{
	uint64_t here = (uint64_t)(uintptr_t)r->at, v;

	switch (encoding & PE_FORMAT) {
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		v = get_u64(r);
		break;
	case PE_UDATA4:
		v = get_u32(r);
		break;
	case PE_SDATA4:
		v = (uint64_t)(int64_t)(int32_t)get_u32(r);
		break;
	default:
		r->bad = true;
		return 0;
	}
	if ((encoding & PE_HOW) == PE_PCREL)
		v += here;
	else if ((encoding & PE_HOW) != 0)
		r->bad = true;
	return v;
}

/* How the CIE's FDEs encode addresses; PE_OMIT: malformed, or not supported. */
static uint8_t read_cie(struct reader r)
{
	const char *aug;
	uint8_t version = get_u8(&r), encoding = PE_ABSPTR;

	aug = (const char *)r.at;
	while (!r.bad && get_u8(&r) != '\0')
		;
	get_uleb(&r);			/* code alignment */
	get_uleb(&r);			/* data alignment */
	if (version == 1)
		get_u8(&r);		/* return address column */
	else
		get_uleb(&r);
	if (r.bad)
		return PE_OMIT;
	if (*aug == '\0')
		return encoding;
	if (*aug != 'z')
		return PE_OMIT;
	get_uleb(&r);			/* length of what follows */
	for (aug++; *aug != '\0' && !r.bad; aug++) {
		switch (*aug) {
		case 'R':
			encoding = get_u8(&r);
			break;
		case 'P':
			/* Only its length matters, so it may be indirect. */
			get_encoded(&r, get_u8(&r) & (uint8_t)~PE_INDIRECT);
			break;
		case 'L':
			get_u8(&r);
			break;
		case 'S':
		case 'B':
			break;
		default:
			return PE_OMIT;
		}
	}
	return r.bad || encoding & PE_INDIRECT ? PE_OMIT : encoding;
}

long cof_ehframe_read(const void *eh_frame, size_t bytes,
		      int (*each)(void *arg, const struct cof_fde *fde),
		      void *arg)
{
	const uint8_t *begin = eh_frame;
	struct reader r = { .at = begin, .end = begin + bytes };
	long n = 0;

	while (r.end - r.at >= 4) {
		struct cof_fde fde = { .fde = (uint64_t)(uintptr_t)r.at };
		struct reader rec = r, cie;
		uint32_t length = get_u32(&r), back;
		uint8_t encoding;

		if (length == 0)
			break;		/* the terminator */
		if (length > (size_t)(r.end - r.at))
			return -COF_E_INVAL;	/* or 0xffffffff: 64-bit */
		rec = (struct reader){ .at = r.at, .end = r.at + length };
		r.at += length;
		back = get_u32(&rec);
		if (rec.bad)
			return -COF_E_INVAL;
		if (back == 0)
			continue;	/* a CIE; its FDEs read it */

		/* `back` counts from the field itself to the CIE's length. */
		if (back > (size_t)(rec.at - 4 - begin))
			return -COF_E_INVAL;
		cie = (struct reader){ .at = rec.at - 4 - back, .end = r.end };
		length = get_u32(&cie);
		if (length < 4 || length > (size_t)(cie.end - cie.at))
			return -COF_E_INVAL;
		cie.end = cie.at + length;
		if (get_u32(&cie) != 0)
			return -COF_E_INVAL;
		encoding = read_cie(cie);
		if (encoding == PE_OMIT)
			return -COF_E_INVAL;
		fde.start = get_encoded(&rec, encoding);
		fde.end = fde.start + get_encoded(&rec, encoding & PE_FORMAT);
		if (rec.bad)
			return -COF_E_INVAL;
		n++;
		if (each(arg, &fde) != 0)
			break;
	}
	return n;
}
