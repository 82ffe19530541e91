/*
 * sigreturn.h - what a signal handler that libc does not know returns to
 */
#pragma once

#define COF_SA_RESTORER 0x04000000	/* the kernel's; libc has no name */

/* For the kernel. It is not to be called. */
void cof_sigreturn(void);
