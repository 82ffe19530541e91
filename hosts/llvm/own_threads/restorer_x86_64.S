/*
 * restorer_x86_64.S - the return from own_threads.c's signal handler
 *
 * Unwinders know the two instructions, as libc's.
 */
#include <sys/syscall.h>

	.text
	.globl	own_threads_restorer
	.hidden	own_threads_restorer
	.type	own_threads_restorer, @function
	nop
own_threads_restorer:
	mov	$SYS_rt_sigreturn, %rax
	syscall
	.size	own_threads_restorer, . - own_threads_restorer
	.section .note.GNU-stack,"",@progbits
