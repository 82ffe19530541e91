/*
 * thread.h - threads of the program's begin and end
 */
#pragma once

struct cofl;

/* The calling thread, which is the program's, begins or ends. */
void cofl_thread_enter(struct cofl *host);
void cofl_thread_leave(struct cofl *host);
