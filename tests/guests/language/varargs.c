/*
 * varargs.c - ... of every class: registers, stack, structs, va_copy
 *
 * guest-hot:
 */
#include <stdarg.h>
#include <string.h>

#include "guest.h"

struct small { int a, b; };
struct big   { long a[5]; };

NOINLINE static uint64_t sum(const char *kinds, ...)
{
	va_list ap, again;
	uint64_t h = MIX0;

	va_start(ap, kinds);
	va_copy(again, ap);
	for (const char *k = kinds; *k; k++) {
		switch (*k) {
		case 'i': h = mix(h, (uint64_t)va_arg(ap, int)); break;
		case 'l': h = mix(h, (uint64_t)va_arg(ap, long)); break;
		case 'd': h = mix(h, bits(va_arg(ap, double))); break;
		case 'p': h = mix(h, strlen(va_arg(ap, char *))); break;
		case 'D': h = mix(h, bits((double)va_arg(ap, long double)));
			break;
		case 's': {
			struct small s = va_arg(ap, struct small);

			h = mix(mix(h, (uint64_t)s.a), (uint64_t)s.b);
			break;
		}
		case 'b': {
			struct big b = va_arg(ap, struct big);

			for (int i = 0; i < 5; i++)
				h = mix(h, (uint64_t)b.a[i]);
			break;
		}
		}
	}
	va_end(ap);
	h = mix(h, (uint64_t)va_arg(again, int));
	va_end(again);
	return h;
}

NOINLINE static int format(char *to, size_t bytes, const char *f, ...)
{
	va_list ap;
	int n;

	va_start(ap, f);
	n = vsnprintf(to, bytes, f, ap);
	va_end(ap);
	return n;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	char text[200];

	for (int i = 0; i < 2000; i++) {
		struct small s = { i, -i };
		struct big b = { { i, i + 1, i + 2, i + 3, i * 7 } };

		h = mix(h, sum("iiiiiiiiii", i, 1, 2, 3, 4, 5, 6, 7, 8, i));
		h = mix(h, sum("idididididididididid", i, .5, 1, 1.5, 2, 2.5,
			       3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5,
			       9, i * .25));
		h = mix(h, sum("isbDplsbD", i, s, b, (long double)i / 3,
			       "string", 1L << 40, s, b, 2.5L));
		if (i % 16 == 0) {
			format(text, sizeof(text), "%d %s %.3f %c %lx %Lg|",
			       i, "abc", i / 3., 'a' + i % 26, (long)i << 33,
			       (long double)i / 7);
			for (char *c = text; *c; c++)
				h = mix(h, (uint64_t)*c);
		}
	}
	return h;
}

int main(void)
{
	guest_run("varargs", round_);
	return 0;
}
