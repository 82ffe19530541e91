/*
 * stub_trampoline_x86_64.S - from a stub to the first call of its method
 *
 *	on entry               r11 = instance
 *	   16(%rsp)            the caller's return address
 *	    8(%rsp)            behind the call in the stub
 *	    0(%rsp)            r11, as the caller had it
 *	on exit, at the stub
 *	    0(%rsp)            the caller's return address
 *	    every register as on entry, and r11 as the caller had it
 *
 * All registers that can hold an argument in any calling convention are saved,
 * or are callee-saved in C: the general ones, vectors and masks. The host runs
 * under the ABI's rounding and exception modes, whatever the guest has set, and
 * the guest gets its own modes back.
 *
 * The caller's stack may be small, so no more is put on it than general
 * registers and the frame of the functions of stub_stack.h. What is large, and
 * the host, is on a stack of libcof's. The way back is a `ret` to the stub,
 * since no register is free to jump by.
 *
 * An unwinder does not see the stub: the frame's return address is the
 * caller's.
 */
#define MASK  -80	/* of signals; see cof_stub_stack_take() */
#define STACK -88	/* the end of libcof's stack, or of this frame */
#define OWN   -96	/* libcof's stack; 0: there was none */
#define FRAME  96

	.text
	.globl	cof_stub_trampoline
	.hidden	cof_stub_trampoline
	.type	cof_stub_trampoline, @function
	.p2align 4
cof_stub_trampoline:
	.cfi_startproc
	.cfi_def_cfa_offset 24
	pushq	%rbp
	.cfi_def_cfa_offset 32
	.cfi_offset %rbp, -32
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rax
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%rbx
	.cfi_offset %rbx, -104
	subq	$FRAME - 72, %rsp
	andq	$-16, %rsp
	movq	%r11, %rbx
	leaq	MASK(%rbp), %rdi
	call	cof_stub_stack_take
	movq	%rax, OWN(%rbp)
	testq	%rax, %rax
	cmovzq	%rsp, %rax
	movq	%rax, STACK(%rbp)
	movq	%rax, %rsp

	subq	$32, %rsp
	fnstenv	(%rsp)
	stmxcsr	28(%rsp)
	movl	cof_stub_vector_bytes(%rip), %eax
	subq	%rax, %rsp
	andq	$-64, %rsp
	movl	cof_stub_vector_mask(%rip), %eax
	testl	%eax, %eax
	jz	1f
	/* XRSTOR requires zero in the reserved bytes of the header. */
	xorl	%edx, %edx
	movq	%rdx, 512(%rsp)
	movq	%rdx, 520(%rsp)
	movq	%rdx, 528(%rsp)
	movq	%rdx, 536(%rsp)
	movq	%rdx, 544(%rsp)
	movq	%rdx, 552(%rsp)
	movq	%rdx, 560(%rsp)
	movq	%rdx, 568(%rsp)
	xsave64	(%rsp)
	jmp	2f
1:	fxsave64 (%rsp)
2:
	ldmxcsr	default_mxcsr(%rip)
	fldcw	default_cw(%rip)
	movq	%rbx, %rdi
	movq	16(%rbp), %rsi
	call	*cof_stub_on_first_call(%rip)
	movq	%rax, 16(%rbp)

	movl	cof_stub_vector_mask(%rip), %eax
	testl	%eax, %eax
	jz	3f
	xorl	%edx, %edx
	xrstor64 (%rsp)
	jmp	4f
3:	fxrstor64 (%rsp)
4:
	movq	STACK(%rbp), %rax
	ldmxcsr	-4(%rax)
	fldenv	-32(%rax)
	leaq	-FRAME(%rbp), %rsp
	andq	$-16, %rsp
	movq	OWN(%rbp), %rdi
	leaq	MASK(%rbp), %rsi
	call	cof_stub_stack_give

	leaq	-72(%rbp), %rsp
	popq	%rbx
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	popq	%rax
	popq	%rbp
	.cfi_restore %rbp
	.cfi_restore %rbx
	.cfi_def_cfa %rsp, 24
	popq	%r11
	.cfi_def_cfa_offset 16
	ret
	.cfi_endproc
	.size	cof_stub_trampoline, . - cof_stub_trampoline

	.section .rodata
	.p2align 2
default_mxcsr:
	.long	0x1f80
default_cw:
	.short	0x37f

	/* See stub.h. */
	.data
	.globl	cof_stub_on_first_call
	.globl	cof_stub_vector_bytes
	.globl	cof_stub_vector_mask
	.hidden	cof_stub_on_first_call
	.hidden	cof_stub_vector_bytes
	.hidden	cof_stub_vector_mask
	.p2align 3
cof_stub_on_first_call:
	.quad	0
cof_stub_vector_bytes:
	.long	512
cof_stub_vector_mask:
	.long	0
	.type	cof_stub_on_first_call, @object
	.size	cof_stub_on_first_call, 8
	.type	cof_stub_vector_bytes, @object
	.size	cof_stub_vector_bytes, 4
	.type	cof_stub_vector_mask, @object
	.size	cof_stub_vector_mask, 4

	.section .note.GNU-stack, "", @progbits
