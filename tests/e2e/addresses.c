/*
 * addresses.c - print the table of addresses that an executable has
 *
 *	addresses FILE [JOINED]
 *
 * One line an entry: ADDRESS NAME VERSION BYTES FIRST FLAGS, with "-" for no
 * version. What is wrong with the bytes in front of an entry is in the flags.
 * Then the joined bitcode is written to JOINED.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/addresses.h"
#include "support/linkage.h"
#include "support/record.h"
#include "support/section.h"

static char  *bytes;
static size_t n_bytes;

static int die(const char *why)
{
	fprintf(stderr, "addresses: %s\n", why);
	return 1;
}

static bool read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	long n;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) <= 0)
		return false;
	rewind(f);
	bytes = malloc((size_t)n);
	n_bytes = (size_t)n;
	return bytes != NULL && fread(bytes, 1, n_bytes, f) == n_bytes &&
	       fclose(f) == 0 && cofl_section_is_elf(bytes, n_bytes);
}

/* Is each byte in front of the entry as cof-cc makes it? */
static bool has_prefix(uint64_t entry)
{
	uint64_t at = entry - COFL_LINKAGE_PREFIX_BYTES;
	Elf64_Shdr s;

	for (uint32_t i = 1; cofl_section_header(bytes, n_bytes, i, &s); i++) {
		if (!(s.sh_flags & SHF_EXECINSTR) || at < s.sh_addr ||
		    entry >= s.sh_addr + s.sh_size)
			continue;
		for (unsigned k = 0; k < COFL_LINKAGE_PREFIX_BYTES; k++)
			if ((uint8_t)bytes[s.sh_offset + (at - s.sh_addr) + k]
			    != COFL_LINKAGE_PREFIX_BYTE)
				return false;
		return true;
	}
	return false;
}

static void print(const struct cofl_address *a, const char *names)
{
	static const char *const flags[] = {
		"FUNCTION", "TLS", "LIBRARY", "IFUNC", "PATCHABLE", "ABSOLUTE",
		"WEAK", "LOCAL"
	};

	printf("%016llx %s %s %u %u ", (unsigned long long)a->address,
	       names + a->name, a->version != 0 ? names + a->version : "-",
	       (unsigned)a->bytes, a->first_bytes);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (a->flags & 1 << i)
			printf(",%s", flags[i]);
	if (a->flags & COFL_ADDRESS_PATCHABLE && !has_prefix(a->address))
		printf(",NO_PREFIX");
	printf("\n");
}

static bool print_table(const char *record, size_t n)
{
	const struct cofl_addresses *head;
	const struct cofl_address *entries;
	const char *names;

	if (!cofl_addresses_open(&head, &entries, &names, record, n))
		return false;
	for (uint32_t i = 0; i < head->n; i++)
		print(&entries[i], names);
	return true;
}

static bool write_file(const char *path, const char *from, size_t n)
{
	FILE *f = fopen(path, "wb");

	return f != NULL && fwrite(from, 1, n, f) == n && fclose(f) == 0;
}

int main(int argc, char **argv)
{
	struct cofl_record r;
	const char *at, *in;
	bool found = false;
	Elf64_Shdr s;
	size_t left;

	if (argc < 2 || !read_file(argv[1]))
		return die("no executable");
	if (!cofl_section_find(bytes, n_bytes, COFL_SECTION_BITCODE, &s))
		return die("no bitcode");
	at = bytes + s.sh_offset;
	left = s.sh_size;
	while (cofl_record_next(&r, &in, &at, &left)) {
		if (!cofl_record_is_whole(&r, in))
			return die("damaged");
		if (r.kind == COFL_RECORD_JOINED && argc > 2 &&
		    !write_file(argv[2], in, r.bytes))
			return die("cannot write");
		if (r.kind != COFL_RECORD_ADDRESSES)
			continue;
		if (!print_table(in, r.bytes))
			return die("damaged table");
		found = true;
	}
	return left != 0 ? die("damaged section") :
	       found ? 0 : die("no table");
}
