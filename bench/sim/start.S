/* start.S - where a core begins: a stack, then main(), then stop */
	.section .text.start, "ax"
	.globl	start
start:
	lui	sp, 0x4			/* 16 KiB of memory */
	call	main
1:	j	1b
