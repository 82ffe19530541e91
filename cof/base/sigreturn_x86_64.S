/*
 * sigreturn_x86_64.S - cof_sigreturn; see sigreturn.h
 *
 * The kernel wants one with each handler (SA_RESTORER). Unwinders and debuggers
 * know the two instructions, which are libc's as well. They look up the address
 * before the one that they were given, so there is a byte before it.
 */
#include <sys/syscall.h>

	.text
	.globl	cof_sigreturn
	.hidden	cof_sigreturn
	.type	cof_sigreturn, @function
	nop
cof_sigreturn:
	mov	$SYS_rt_sigreturn, %rax
	syscall
	.size	cof_sigreturn, . - cof_sigreturn
	.section .note.GNU-stack,"",@progbits
