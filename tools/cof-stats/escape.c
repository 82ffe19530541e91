/*
 * escape.c - print a text that another process wrote
 */
#include "escape.h"

#include <stdint.h>
#include <string.h>

/*
 * The character at s, and its length in bytes. Length 0: it is not UTF-8 (RFC
 * 3629: shortest form, no surrogates, up to U+10FFFF). s ends in a NUL.
 */
static unsigned decode(const char *s, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char b = (unsigned char)s[0];
	unsigned len = b < 0x80 ? 1 : b >> 5 == 6 ? 2 : b >> 4 == 14 ? 3 :
		       b >> 3 == 30 ? 4 : 0;

	*c = len == 1 ? b : len ? b & (0x7fu >> len) : 0;
	for (unsigned i = 1; i < len; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	if (len != 0 && (*c < least[len] || *c > 0x10ffff ||
			 (*c >= 0xd800 && *c <= 0xdfff)))
		return 0;
	return len;
}

/* C0, DEL, C1, and characters that reorder or hide text on a line. */
static int is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/*
 * Put one character or its escape into buf. Returns how many bytes of s that
 * is.
 * *columns: its columns on the screen; a wide character counts as one.
 */
static unsigned shown(const char *s, char buf[20], unsigned *columns)
{
	uint32_t c;
	unsigned len = decode(s, &c);

	if (c == '\\' && len == 1) {
		strcpy(buf, "\\\\");
		*columns = 2;
	} else if (len == 0 || is_control(c)) {
		if (len == 0)
			len = 1;
		for (unsigned i = 0; i < len; i++)
			sprintf(buf + 4 * i, "\\x%02x", (unsigned char)s[i]);
		*columns = 4 * len;
	} else {
		memcpy(buf, s, len);
		buf[len] = '\0';
		*columns = 1;
	}
	return len;
}

static unsigned width(const char *s)
{
	unsigned n = 0, columns;
	char buf[20];

	while (*s != '\0') {
		s += shown(s, buf, &columns);
		n += columns;
	}
	return n;
}

void escape_text(FILE *to, const char *s, unsigned columns)
{
	unsigned used = 0, w, room = columns;
	char buf[20];
	int cut = columns != 0 && width(s) > columns;

	if (cut)
		room -= columns > 3 ? 3 : columns;
	while (*s != '\0') {
		unsigned n = shown(s, buf, &w);

		if (columns != 0 && used + w > room)
			break;
		fputs(buf, to);
		used += w;
		s += n;
	}
	for (unsigned dots = 0; cut && dots < 3 && used < columns; dots++) {
		fputc('.', to);
		used++;
	}
	for (; used < columns; used++)
		fputc(' ', to);
}

void escape_cut(FILE *to, const char *s, unsigned columns)
{
	escape_text(to, s, columns != 0 && width(s) > columns ? columns : 0);
}

void escape_json(FILE *to, const char *s)
{
	fputc('"', to);
	while (*s != '\0') {
		uint32_t c;
		unsigned len = decode(s, &c);

		if (len == 0)
			fputs("\\ufffd", to);
		else if (c == '"' || c == '\\')
			fprintf(to, "\\%c", (int)c);
		else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
			fprintf(to, "\\u%04x", (unsigned)c);
		else
			fwrite(s, 1, len, to);
		s += len ? len : 1;
	}
	fputc('"', to);
}
