/*
 * points.c - see points.h
 */
#include "native/points.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "link/osr_points.h"
#include "native/text_page.h"

#define TEST 0xa9	/* link/osr_points.h */

static void store(unsigned char *at, unsigned char byte)
{
	/* If the kernel refuses, the point stays as it is, which is right. */
	(void)cofl_text_page_write((uintptr_t)at, &byte, 1);
}

/* Is this stretch of linked addresses in a segment that is loaded with these
 * rights, and no others but to read? */
static bool is_in_segment(uint64_t at, uint64_t bytes, uint32_t rights)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long n = getauxval(AT_PHNUM);

	for (unsigned long i = 0; p != NULL && i < n; i++)
		if (p[i].p_type == PT_LOAD &&
		    (p[i].p_flags & (PF_X | PF_W)) == rights &&
		    at >= p[i].p_vaddr && at - p[i].p_vaddr < p[i].p_memsz &&
		    bytes <= p[i].p_memsz - (at - p[i].p_vaddr))
			return true;
	return false;
}

static bool is_right(const struct cofl_executable *e,
		     const struct cofl_native_point *r)
{
	return is_in_segment(r->at, 5, PF_X) &&
	       is_in_segment(r->words,
			     r->n_loops * (uint64_t)sizeof(struct cofl_word),
			     PF_W) &&
	       *(const unsigned char *)(r->at + e->bias) == TEST;
}

struct cofl_osr_points *cofl_points_of(const struct cofl_executable *e,
				       uint32_t i)
{
	const struct cofl_native_point *r;
	struct cofl_osr_points *p;
	size_t n;

	r = cofl_native_points_of(e->point, e->n_points, e->entry[i].address,
				  &n);
	if (r == NULL)
		return NULL;
	for (size_t k = 0; k < n; k++)
		if (!is_right(e, &r[k]))
			return NULL;
	p = cofl_osr_points_new(r->n_loops,
				(struct cofl_word *)(r->words + e->bias));
	if (p == NULL)
		return NULL;
	p->point = calloc(n, sizeof(*p->point));
	if (p->point == NULL) {
		cofl_osr_points_free(p);
		return NULL;
	}
	p->store = store;
	for (size_t k = 0; k < n; k++)
		p->point[p->n++] = (struct cofl_point){
			(unsigned char *)(r[k].at + e->bias), r[k].loop };
	return p;
}

void cofl_points_restore(const struct cofl_osr_points *p)
{
	static const unsigned char test = TEST;

	for (size_t i = 0; i < p->n; i++)
		if (*p->point[i].byte != TEST)
			(void)cofl_text_page_restore(
				(uintptr_t)p->point[i].byte, &test, 1);
}
