/*
 * filter.c - standard input to standard output, by lines, bytes and words
 *
 * guest-stdin: seq 1 300000
 */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

NOINLINE static uint64_t each(char *line)
{
	uint64_t h = MIX0;

	for (char *c = line; *c; c++) {
		h = (h ^ (unsigned char)*c) * 0x100000001b3u;
		*c = isdigit((unsigned char)*c) ? (char)('a' + *c - '0') :
		     (char)toupper((unsigned char)*c);
	}
	return h;
}

int main(void)
{
	uint64_t h = MIX0, lines = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int c;

	while (lines < 250000 && (n = getline(&line, &room, stdin)) > 0) {
		h += each(line);
		if (++lines % 50 == 0)
			fwrite(line, 1, (size_t)n, stdout);
	}
	while ((c = getchar()) != EOF) {
		ungetc(c, stdin);
		if (scanf("%1000d", &c) != 1)
			break;
		h = mix(h, (uint64_t)c);
		getchar();
	}
	free(line);
	printf("%" PRIu64 " lines %016" PRIx64 "\n", lines, h);
	fprintf(stderr, "end of input: %d\n", feof(stdin) != 0);
	return ferror(stdin);
}
