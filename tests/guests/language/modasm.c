/*
 * modasm.c - functions and data in asm at file scope, both ways
 */
#include "guest.h"

uint64_t asm_triple(uint64_t x);
uint64_t asm_calls_back(uint64_t x);
extern uint32_t asm_data[4];
extern const char asm_text[];

__asm__(
	"	.text\n"
	"	.globl asm_triple\n"
	"	.type asm_triple, @function\n"
	"asm_triple:\n"
	"	leaq (%rdi,%rdi,2), %rax\n"
	"	ret\n"
	"	.size asm_triple, .-asm_triple\n"
	"	.globl asm_calls_back\n"
	"	.type asm_calls_back, @function\n"
	"asm_calls_back:\n"
	"	subq $8, %rsp\n"
	"	call callback@PLT\n"
	"	addq $8, %rsp\n"
	"	incq %rax\n"
	"	ret\n"
	"	.size asm_calls_back, .-asm_calls_back\n"
	"	.data\n"
	"	.globl asm_data\n"
	"	.balign 4\n"
	"asm_data:\n"
	"	.long 1, 2, 3, 4\n"
	"	.size asm_data, 16\n"
	"	.section .rodata\n"
	"	.globl asm_text\n"
	"asm_text:	.asciz \"from asm\"\n"
	"	.text\n"
);

__attribute__((used, noinline)) uint64_t callback(uint64_t x)
{
	return mix(x, asm_data[x % 4]);
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	asm_data[2] = 3;
	for (uint64_t i = 0; i < 2000; i++) {
		h = mix(h, asm_triple(i) + asm_calls_back(i));
		asm_data[2]++;
	}
	return h;
}

int main(void)
{
	guest_run("modasm", round_);
	puts(asm_text);
	return 0;
}
