/*
 * stub_trampoline_x86_64.S - from a stub to the first call of its method
 *
 *	on entry               r11 = instance
 *	    8(%rsp)            the caller's return address
 *	    0(%rsp)            behind the call in the stub
 *	on exit, at the stub
 *	    0(%rsp)            the caller's return address
 *	    every register but r11 as on entry; r11 is the stub, so a scan
 *	    keeps no code because of it
 *
 * All registers that can hold an argument are saved: rdi rsi rdx rcx r8 r9, rax
 * (the number of vector registers of a variadic call), r10 (static chain),
 * vectors and masks. The host runs under the ABI's rounding and exception
 * modes, whatever the guest has set, and the guest gets its own modes back.
 *
 * An unwinder does not see the stub: the frame's return address is the
 * caller's.
 */
	.text
	.globl	cof_stub_trampoline
	.hidden	cof_stub_trampoline
	.type	cof_stub_trampoline, @function
	.p2align 4
cof_stub_trampoline:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	pushq	%rbp
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -24
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
	movq	%r11, %rdi
	movq	8(%rbp), %rsi
	call	*cof_stub_on_first_call(%rip)
	movq	%rax, %r11

	movl	cof_stub_vector_mask(%rip), %eax
	testl	%eax, %eax
	jz	3f
	xorl	%edx, %edx
	xrstor64 (%rsp)
	jmp	4f
3:	fxrstor64 (%rsp)
4:
	leaq	-96(%rbp), %rsp
	ldmxcsr	28(%rsp)
	fldenv	(%rsp)
	addq	$32, %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	popq	%rax
	popq	%rbp
	.cfi_def_cfa %rsp, 16
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	jmpq	*%r11
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
