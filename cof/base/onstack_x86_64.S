/*
 * onstack_x86_64.S - cof_onstack(top, fn, arg); see onstack.h
 *
 * The frame is kept in rbp, so that unwinding passes through.
 */
	.text
	.globl	cof_onstack
	.hidden	cof_onstack
	.type	cof_onstack, @function
cof_onstack:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	mov	%rdi, %rsp
	mov	%rdx, %rdi
	call	*%rsi
	mov	%rbp, %rsp
	pop	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	cof_onstack, . - cof_onstack
	.section .note.GNU-stack, "", @progbits
