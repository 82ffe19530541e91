/*
 * method_profile.c - merge, save and load profiles; see method_profile.h
 */
#include "profile/method_profile.h"

#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "support/xcalloc.h"

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* -- Values ---------------------------------------------------------------- */

void cofl_profile_top_miss(struct cofl_top *top, uint64_t value)
{
	struct cofl_seen *rarest = &top->seen[0], swap;

	for (uint32_t i = 0; i < COFL_TOP; i++) {
		struct cofl_seen *s = &top->seen[i];

		if (s->count != 0 && s->value == value) {
			s->count++;
			if (s->count > top->seen[0].count) {
				swap = *s;
				*s = top->seen[0];
				top->seen[0] = swap;
			}
			return;
		}
		if (s->count < rarest->count)
			rarest = s;
	}
	if (rarest->count == 0)
		*rarest = (struct cofl_seen){ value, 1 };
	else
		rarest->count--;
}

static int most_first(const void *a, const void *b)
{
	const struct cofl_seen *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

void cofl_profile_top_merge(struct cofl_top *to, const struct cofl_top *from)
{
	struct cofl_seen all[2 * COFL_TOP] = { { 0 } };
	uint32_t n = 0;

	for (uint32_t i = 0; i < 2 * COFL_TOP; i++) {
		struct cofl_seen s = i < COFL_TOP ? to->seen[i] :
						    from->seen[i - COFL_TOP];
		uint32_t k = 0;

		if (s.count == 0)
			continue;
		while (k < n && all[k].value != s.value)
			k++;
		all[k].value = s.value;
		all[k].count = add(all[k].count, s.count);
		n += k == n;
	}
	qsort(all, n, sizeof(*all), most_first);
	memcpy(to->seen, all, sizeof(to->seen));
}

/* -- Profiles -------------------------------------------------------------- */

struct cofl_profile *cofl_profile_new(const struct cofl_outline *outline,
				      const uint8_t *kind)
{
	struct cofl_profile *p = cofl_xcalloc(1, sizeof(*p));

	p->outline = *outline;
	p->edge = cofl_xcalloc(outline->n_edges, sizeof(*p->edge));
	p->site = cofl_xcalloc(outline->n_sites, sizeof(*p->site));
	p->kind = cofl_xcalloc(outline->n_sites, sizeof(*p->kind));
	if (outline->n_sites != 0)
		memcpy(p->kind, kind, outline->n_sites);
	return p;
}

void cofl_profile_free(struct cofl_profile *profile)
{
	if (profile == NULL)
		return;
	free(profile->edge);
	free(profile->site);
	free(profile->kind);
	free(profile);
}

uint64_t cofl_profile_total(const struct cofl_profile *profile)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < profile->outline.n_edges; i++)
		sum = add(sum, profile->edge[i]);
	return sum;
}

static uint64_t scale(uint64_t v, double by)
{
	return (uint64_t)((double)v * by);
}

void cofl_profile_age(struct cofl_profile *newer,
		      const struct cofl_profile *old)
{
	double now = (double)cofl_profile_total(newer);
	double then = (double)cofl_profile_total(old);
	double by = 0.5;

	if (then * by > now * 0.5)
		by = now * 0.5 / then;
	for (uint32_t i = 0; i < newer->outline.n_edges; i++)
		newer->edge[i] = add(newer->edge[i], scale(old->edge[i], by));
	for (uint32_t i = 0; i < newer->outline.n_sites; i++) {
		struct cofl_top top = old->site[i];

		for (uint32_t k = 0; k < COFL_TOP; k++)
			top.seen[k].count = scale(top.seen[k].count, by);
		cofl_profile_top_merge(&newer->site[i], &top);
	}
	newer->ns = add(newer->ns, scale(old->ns, by));
}

/* -- Bytes ----------------------------------------------------------------- */

/*
 * Little-endian words: magic, hash, n_edges | n_sites << 32, ns, edges, then
 * value and count of each place of each site, then a checksum of all before.
 */
#define MAGIC        UINT64_C(0x32464f5250464f43)	/* "COFPROF2" */
#define HEADER_WORDS 4u

static uint64_t words_of(const struct cofl_outline *outline)
{
	return HEADER_WORDS + outline->n_edges +
	       (uint64_t)outline->n_sites * COFL_TOP * 2 + 1;
}

struct stream {
	unsigned char *at;
	uint64_t       check;	/* FNV-1a, by words */
};

static void put(struct stream *s, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		s->at[i] = (unsigned char)(v >> 8 * i);
	s->at += 8;
	s->check = (s->check ^ v) * 0x100000001b3u;
}

static uint64_t get(struct stream *s)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++)
		v |= (uint64_t)s->at[i] << 8 * i;
	s->at += 8;
	s->check = (s->check ^ v) * 0x100000001b3u;
	return v;
}

size_t cofl_profile_save(const struct cofl_profile *p, void *bytes, size_t room)
{
	size_t n = (size_t)words_of(&p->outline) * 8;
	struct stream s = { .at = bytes };

	if (room < n)
		return n;
	put(&s, MAGIC);
	put(&s, p->outline.hash);
	put(&s, p->outline.n_edges | (uint64_t)p->outline.n_sites << 32);
	put(&s, p->ns);
	for (uint32_t i = 0; i < p->outline.n_edges; i++)
		put(&s, p->edge[i]);
	for (uint32_t i = 0; i < p->outline.n_sites; i++)
		for (uint32_t k = 0; k < COFL_TOP; k++) {
			put(&s, p->site[i].seen[k].value);
			put(&s, p->site[i].seen[k].count);
		}
	put(&s, s.check);
	return n;
}

/* The first count is the largest, each value is there once, and targets of
 * calls exist. */
static int site_is_sound(const struct cofl_top *top, uint8_t kind,
			 uint32_t n_methods)
{
	for (uint32_t k = 0; k < COFL_TOP; k++) {
		const struct cofl_seen *s = &top->seen[k];

		if (s->count == 0)
			continue;
		if (k > 0 && s->count > top->seen[0].count)
			return 0;
		if (kind == COFL_SITE_CALL && s->value != COFL_NO_METHOD &&
		    s->value >= n_methods)
			return 0;
		for (uint32_t j = 0; j < k; j++)
			if (top->seen[j].count != 0 &&
			    top->seen[j].value == s->value)
				return 0;
	}
	return 1;
}

int cofl_profile_load(const struct cofl_outline *outline, const uint8_t *kind,
		      uint32_t n_methods, const void *bytes, size_t n,
		      struct cofl_profile **out)
{
	struct stream s = { .at = (unsigned char *)bytes };
	struct cofl_profile *p;
	uint64_t check;
	int sound = 1;

	*out = NULL;
	if (n != words_of(outline) * 8 || get(&s) != MAGIC ||
	    get(&s) != outline->hash ||
	    get(&s) != (outline->n_edges | (uint64_t)outline->n_sites << 32))
		return -COF_E_INVAL;
	p = cofl_profile_new(outline, kind);
	p->ns = get(&s);
	for (uint32_t i = 0; i < outline->n_edges; i++)
		p->edge[i] = get(&s);
	for (uint32_t i = 0; i < outline->n_sites; i++) {
		for (uint32_t k = 0; k < COFL_TOP; k++) {
			p->site[i].seen[k].value = get(&s);
			p->site[i].seen[k].count = get(&s);
		}
		sound &= site_is_sound(&p->site[i], kind[i], n_methods);
	}
	check = s.check;
	if (get(&s) != check || !sound) {
		cofl_profile_free(p);
		return -COF_E_INVAL;
	}
	*out = p;
	return 0;
}

/* Word i of a saved profile. */
static uint64_t word(const void *bytes, uint64_t i)
{
	struct stream s = { .at = (unsigned char *)bytes + 8 * i };

	return get(&s);
}

static uint64_t edges_of(const void *bytes, size_t n)
{
	uint64_t counts;

	if (n < (HEADER_WORDS + 1) * 8 || word(bytes, 0) != MAGIC)
		return 0;
	counts = word(bytes, 2);
	return n == words_of(&(struct cofl_outline){
			.n_edges = (uint32_t)counts,
			.n_sites = (uint32_t)(counts >> 32),
		}) * 8 ? (uint32_t)counts : 0;
}

unsigned cofl_profile_drift(const void *a, size_t a_bytes, const void *b,
			    size_t b_bytes)
{
	uint64_t n = edges_of(a, a_bytes);
	double in_a = 0, in_b = 0, common = 0;

	if (n == 0 || n != edges_of(b, b_bytes) || word(a, 1) != word(b, 1))
		return 1000;
	for (uint64_t i = HEADER_WORDS; i < HEADER_WORDS + n; i++) {
		in_a += (double)word(a, i);
		in_b += (double)word(b, i);
	}
	if (!(in_a > 0) || !(in_b > 0))
		return 1000;
	for (uint64_t i = HEADER_WORDS; i < HEADER_WORDS + n; i++) {
		double x = (double)word(a, i) / in_a;
		double y = (double)word(b, i) / in_b;

		common += x < y ? x : y;
	}
	return common < 1 ? (unsigned)(1000 - 1000 * common) : 0;
}
