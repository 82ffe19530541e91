/*
 * first_call.h - compile a function when it is called first
 */
#pragma once

struct cofl_method;

/* host.first_call(). Ends the process if there is no way to compile it. */
void cofl_first_call(void *ctx, void *method);

/*
 * Build first versions of the method and of those that it calls by name, the
 * nearest first, up to a bound: before it runs where the compiler must not. Any
 * guest thread; returns with signals and cancellation as they were.
 */
void cofl_first_call_ahead(struct cofl_method *method);
