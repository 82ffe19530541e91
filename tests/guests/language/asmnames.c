/*
 * asmnames.c - names in assembly that are local to the file, or have a version
 */
#include <string.h>

#include "guest.h"

__asm__(
	"	.text\n"
	"local_function:\n"
	"	movl $42, %eax\n"
	"	ret\n"
	"	.globl calls_static\n"
	"calls_static:\n"
	"	subq $8, %rsp\n"
	"	call static_function\n"
	"	addq $8, %rsp\n"
	"	addl static_variable(%rip), %eax\n"
	"	ret\n"
	"	.data\n"
	"local_variable:\n"
	"	.long 7\n"
	"	.text\n"
	"	.symver memcpy, memcpy@GLIBC_2.2.5\n"
);

extern int local_function(void), calls_static(void);
extern int local_variable;
static int static_variable __attribute__((used)) = 12;
extern int plain(const char *s) __asm__("\01puts");

NOINLINE __attribute__((used)) static int static_function(void)
{
	return 33;
}

void *(*volatile copy)(void *, const void *, size_t) = memcpy;

int main(void)
{
	char text[8];
	int in_line;

	__asm__ volatile("movl static_variable(%%rip), %0" : "=r"(in_line));
	printf("%d %d %d %d\n", local_function(), local_variable,
	       calls_static(), in_line);
	fflush(stdout);
	copy(text, "copied", 7);
	plain(text);
	return 0;
}
