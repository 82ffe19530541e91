/*
 * syscall_x86_64.S - syscall(2), which looks at some calls; see syscall.h
 *
 * It has no frame while the kernel works: a child made by SYS_vfork returns
 * first, on the same stack. The kernel's fourth argument is in r10, where C has
 * it in rcx, and the sixth is on C's stack.
 */
#include <sys/syscall.h>

#define SET_MODE_FILTER 1	/* SET_MODE_STRICT is 0; others set nothing */
#define TRACEME         0	/* PTRACE_TRACEME */

	.text
	.globl	syscall
	.type	syscall, @function
syscall:
	.cfi_startproc
	cmp	$SYS_seccomp, %edi
	je	.Lseccomp
	cmp	$SYS_ptrace, %edi
	je	.Lptrace
	cmp	$SYS_exit, %edi
	je	.Lexit
	cmp	$SYS_prctl, %edi
	je	syscall_known
	cmp	$SYS_mprotect, %edi
	je	syscall_known
	cmp	$SYS_capset, %edi
	je	syscall_known
	cmp	$SYS_unshare, %edi
	je	syscall_known
	cmp	$SYS_setns, %edi
	je	syscall_known
.Lnow:
	mov	%rdi, %rax
	mov	%rsi, %rdi
	mov	%rdx, %rsi
	mov	%rcx, %rdx
	mov	%r8, %r10
	mov	%r9, %r8
	mov	8(%rsp), %r9
	syscall
	cmp	$-4095, %rax
	jae	.Lfailed
	ret
.Lfailed:
	mov	%rax, %rdi
	jmp	call_failed
.Lexit:
	movzbl	%sil, %eax
	mov	%eax, last_exit_status(%rip)
	jmp	.Lnow
.Lptrace:
	cmp	$TRACEME, %rsi
	jne	.Lnow
	jmp	.Lcomes
.Lseccomp:
	cmp	$SET_MODE_FILTER, %rsi
	ja	.Lnow
.Lcomes:
	push	%rdi
	.cfi_adjust_cfa_offset 8
	push	%rsi
	.cfi_adjust_cfa_offset 8
	push	%rdx
	.cfi_adjust_cfa_offset 8
	push	%rcx
	.cfi_adjust_cfa_offset 8
	push	%r8
	.cfi_adjust_cfa_offset 8
	call	filter_comes
	pop	%r8
	.cfi_adjust_cfa_offset -8
	pop	%rcx
	.cfi_adjust_cfa_offset -8
	pop	%rdx
	.cfi_adjust_cfa_offset -8
	pop	%rsi
	.cfi_adjust_cfa_offset -8
	pop	%rdi
	.cfi_adjust_cfa_offset -8
	xor	%r9d, %r9d	/* neither call has a fifth argument */
	jmp	.Lnow
	.cfi_endproc
	.size	syscall, . - syscall
	.section .note.GNU-stack, "", @progbits
