/*
 * elf_versions.c - .gnu.version and .gnu.version_r; see elf_versions.h
 */
#include "resolve/elf_versions.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "support/section.h"

/* Copy `n` bytes from an offset of a section. False: they are not inside. */
static bool take(void *to, size_t n, const char *bytes, const Elf64_Shdr *s,
		 uint64_t at)
{
	if (at > s->sh_size || n > s->sh_size - at)
		return false;
	memcpy(to, bytes + s->sh_offset + at, n);
	return true;
}

/* The name of a version among those needed of one library. */
static const char *find(const char *bytes, const Elf64_Shdr *needs,
			const Elf64_Shdr *strings, uint64_t at, unsigned n,
			unsigned version)
{
	Elf64_Vernaux a;

	while (n-- > 0 && take(&a, sizeof(a), bytes, needs, at)) {
		if ((a.vna_other & 0x7fff) == version)
			return cofl_section_string(bytes, strings, a.vna_name);
		at += a.vna_next;
	}
	return NULL;
}

const char *cofl_elf_versions_needed(const char *bytes, size_t n_bytes,
				     size_t i)
{
	Elf64_Shdr versions, needs, strings;
	const char *name = NULL;
	Elf64_Verneed need;
	Elf64_Half version;
	uint64_t at = 0;

	if (!cofl_section_find(bytes, n_bytes, ".gnu.version", &versions) ||
	    !cofl_section_find(bytes, n_bytes, ".gnu.version_r", &needs) ||
	    !cofl_section_header(bytes, n_bytes, needs.sh_link, &strings) ||
	    !take(&version, sizeof(version), bytes, &versions,
		  i * sizeof(version)))
		return NULL;
	version &= 0x7fff;
	if (version <= VER_NDX_GLOBAL)
		return NULL;
	for (unsigned n = 0; n < needs.sh_info && name == NULL; n++) {
		if (!take(&need, sizeof(need), bytes, &needs, at))
			return NULL;
		name = find(bytes, &needs, &strings, at + need.vn_aux,
			    need.vn_cnt, version);
		at += need.vn_next;
	}
	return name;
}
