/*
 * vtable_compare.h - promoted virtual calls know what slots of vtables hold
 *
 *	%fp = load ptr, ptr %slot           of a vtable
 *	icmp eq ptr %fp, @f                 made by LLVM's promotion
 *	icmp eq ptr %fp, @"cof.slot.f"      made of it
 *
 * The address of f is one thing, and what slots hold in its place another
 * (native/vtables.h). A promoted call that compared with the former would never
 * take its direct way.
 */
#pragma once

#include <llvm-c/Core.h>

/* Change such comparisons of the whole module. Those that have metadata of kind
 * `tag` are the program's own, and stay. */
void cofl_vtable_compare(LLVMModuleRef module, unsigned tag);
