/*
 * memory_dso.c - measure, then write, part by part; see memory_dso.h
 */
#include "dynlib/memory_dso.h"

#include <string.h>

#include "support/xcalloc.h"

/* Indexes of versions: 1 is the library itself. */
enum { VERSION_BASE = 1, VERSION_PROGRAM };

/* Symbols before the names: the null symbol, and the first function. */
enum { SYMBOL_FIRST = 1, SYMBOL_NAMES };

enum { N_HEADERS = 3, N_DYNAMIC = 16 };

struct version {
	Elf64_Verdef  definition;
	Elf64_Verdaux name;
};

struct writer {
	const struct cofl_memory_dso *from;
	char    *bytes;
	size_t   n_symbols, n_buckets, n_strings, n_dynamic;

	/* Offsets of parts. */
	size_t   headers, dynamic, first, rela, symbols, hash, numbers,
		 versions, strings, end;
};

static size_t take(size_t *at, size_t n)
{
	size_t from = *at;

	*at = (from + n + 7) & ~(size_t)7;
	return from;
}

static void measure(struct writer *w)
{
	const struct cofl_memory_dso *s = w->from;
	size_t n_strings = 1 + sizeof(COFL_MEMORY_DSO_VERSION), at = 0;

	for (size_t i = 0; i < s->n_needed; i++)
		n_strings += strlen(s->needed[i]) + 1;
	for (size_t i = 0; i < s->n_names; i++)
		n_strings += strlen(s->name[i].name) + 1;
	n_strings += s->dirs != NULL ? strlen(s->dirs) + 1 : 0;
	w->n_symbols = SYMBOL_NAMES + s->n_names;
	w->n_buckets = s->n_names | 1;

	take(&at, sizeof(Elf64_Ehdr));
	w->headers = take(&at, N_HEADERS * sizeof(Elf64_Phdr));
	w->dynamic = take(&at, (N_DYNAMIC + s->n_needed) * sizeof(Elf64_Dyn));
	w->first = take(&at, sizeof(Elf64_Addr));
	w->rela = take(&at, sizeof(Elf64_Rela));
	w->symbols = take(&at, w->n_symbols * sizeof(Elf64_Sym));
	w->hash = take(&at, (2 + w->n_buckets + w->n_symbols) *
			    sizeof(Elf64_Word));
	w->numbers = take(&at, w->n_symbols * sizeof(Elf64_Versym));
	w->versions = take(&at, 2 * sizeof(struct version));
	w->strings = take(&at, n_strings);
	w->end = at;
}

static Elf64_Word string(struct writer *w, const char *s)
{
	size_t at = w->n_strings, n = strlen(s) + 1;

	memcpy(w->bytes + w->strings + at, s, n);
	w->n_strings += n;
	return (Elf64_Word)at;
}

static void write_headers(struct writer *w)
{
	*(Elf64_Ehdr *)w->bytes = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64,
		.e_version = EV_CURRENT, .e_phoff = w->headers,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = N_HEADERS,
	};
	memcpy(w->bytes + w->headers, (Elf64_Phdr[N_HEADERS]){
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_align = 4096,
		  .p_filesz = w->end, .p_memsz = w->end },
		{ .p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W, .p_align = 8,
		  .p_offset = w->dynamic, .p_vaddr = w->dynamic,
		  .p_filesz = w->first - w->dynamic,
		  .p_memsz = w->first - w->dynamic },
		/* Without this the stack would become executable. */
		{ .p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W,
		  .p_align = 16 },
	}, N_HEADERS * sizeof(Elf64_Phdr));
}

static void dynamic(struct writer *w, Elf64_Sxword tag, size_t value)
{
	Elf64_Dyn *d = (Elf64_Dyn *)(w->bytes + w->dynamic);

	d[w->n_dynamic++] = (Elf64_Dyn){ .d_tag = tag, .d_un.d_val = value };
}

/* Called last: now the length of the strings is known. The other entries are
 * DT_NULL. */
static void write_dynamic(struct writer *w)
{
	const struct cofl_memory_dso *s = w->from;

	for (size_t i = 0; i < s->n_needed; i++)
		dynamic(w, DT_NEEDED, string(w, s->needed[i]));
	if (s->dirs != NULL)
		dynamic(w, s->dirs_tag, string(w, s->dirs));
	dynamic(w, DT_HASH, w->hash);
	dynamic(w, DT_STRTAB, w->strings);
	dynamic(w, DT_STRSZ, w->n_strings);
	dynamic(w, DT_SYMTAB, w->symbols);
	dynamic(w, DT_SYMENT, sizeof(Elf64_Sym));
	dynamic(w, DT_RELA, w->rela);
	dynamic(w, DT_RELASZ, sizeof(Elf64_Rela));
	dynamic(w, DT_RELAENT, sizeof(Elf64_Rela));
	dynamic(w, DT_INIT_ARRAY, w->first);
	dynamic(w, DT_INIT_ARRAYSZ, sizeof(Elf64_Addr));
	dynamic(w, DT_VERSYM, w->numbers);
	dynamic(w, DT_VERDEF, w->versions);
	dynamic(w, DT_VERDEFNUM, 2);
	dynamic(w, DT_FLAGS_1, DF_1_INITFIRST);
}

/* The System V ABI's hash of symbol names. */
static Elf64_Word hash(const char *name)
{
	Elf64_Word h = 0;

	for (; *name != '\0'; name++) {
		h = (h << 4) + (unsigned char)*name;
		h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
	}
	return h;
}

static void write_symbols(struct writer *w)
{
	Elf64_Sym *symbol = (Elf64_Sym *)(w->bytes + w->symbols);
	Elf64_Versym *number = (Elf64_Versym *)(w->bytes + w->numbers);
	Elf64_Word *head = (Elf64_Word *)(w->bytes + w->hash);
	Elf64_Word *bucket = head + 2, *chain = bucket + w->n_buckets;

	head[0] = (Elf64_Word)w->n_buckets;
	head[1] = (Elf64_Word)w->n_symbols;
	symbol[SYMBOL_FIRST] = (Elf64_Sym){
		.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
		.st_shndx = SHN_ABS, .st_value = w->from->first,
	};
	for (size_t i = 0; i < w->from->n_names; i++) {
		const struct cofl_memory_dso_name *from = &w->from->name[i];
		Elf64_Word k = (Elf64_Word)(SYMBOL_NAMES + i);
		Elf64_Word *in = &bucket[hash(from->name) % w->n_buckets];

		symbol[k] = (Elf64_Sym){
			.st_name = string(w, from->name),
			.st_info = from->info, .st_shndx = SHN_ABS,
			.st_value = from->address, .st_size = from->size,
		};
		number[k] = VERSION_PROGRAM;
		chain[k] = *in;
		*in = k;
	}
}

/* The first version is the library's own, which no name has. */
static void write_versions(struct writer *w)
{
	struct version *v = (struct version *)(w->bytes + w->versions);

	for (int i = 0; i < 2; i++)
		v[i].definition = (Elf64_Verdef){
			.vd_version = VER_DEF_CURRENT, .vd_cnt = 1,
			.vd_flags = i == 0 ? VER_FLG_BASE : 0,
			.vd_ndx = (Elf64_Half)(VERSION_BASE + i),
			.vd_aux = sizeof(Elf64_Verdef),
			.vd_next = i == 0 ? sizeof(struct version) : 0,
			.vd_hash = i == 0 ? 0 : hash(COFL_MEMORY_DSO_VERSION),
		};
	v[1].name.vda_name = string(w, COFL_MEMORY_DSO_VERSION);
}

char *cofl_memory_dso_make(const struct cofl_memory_dso *dso, size_t *n_bytes)
{
	struct writer w = { .from = dso };

	measure(&w);
	w.bytes = cofl_xcalloc(1, w.end);
	string(&w, "");
	write_headers(&w);
	write_symbols(&w);
	write_versions(&w);
	*(Elf64_Rela *)(w.bytes + w.rela) = (Elf64_Rela){
		.r_offset = w.first,
		.r_info = ELF64_R_INFO((Elf64_Xword)SYMBOL_FIRST, R_X86_64_64),
	};
	write_dynamic(&w);
	*n_bytes = w.end;
	return w.bytes;
}
