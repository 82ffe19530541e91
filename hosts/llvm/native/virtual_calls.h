/*
 * virtual_calls.h - where the slots of vtables lead that hold a method
 *
 * Versions compare what such a slot holds with a word of the method's, its
 * `slot`, which moves with the slots. A comparison that is a moment behind goes
 * the way of another method.
 *
 * Thread: one at a time, native/methods.c's.
 */
#pragma once

#include <stdint.h>

struct cofl_method;
struct cofl_symbol;

/* The slots that hold the method lead to `to`, and back to the method. */
void cofl_virtual_calls_lead(struct cofl_method *m, uintptr_t to);
void cofl_virtual_calls_lead_back(struct cofl_method *m);

/* As cofl_methods_slot(). */
void cofl_virtual_calls_slot(struct cofl_method *m, struct cofl_symbol *slot);
