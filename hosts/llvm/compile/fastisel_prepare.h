/*
 * fastisel_prepare.h - what LLVM's fast instruction selection declines, said in other words
 *
 *	select i1 a, true, b           or  a, freeze b, as bytes
 *	select i1 a, b, false          and a, freeze b
 *	llvm.smin(a, b), ...           icmp, select
 *	... ; switch                   ... ; br | switch
 *
 * What it declines goes to LLVM's other selection with all that stands before it
 * in the block, and that takes several times as long. A switch is not said in
 * other words, but stands alone.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

#include "ir/clone.h"

/* The body of `to`, in the unit's module, without marks (osr/osr.h). */
void cofl_fastisel_prepare(struct cofl_clone *unit, LLVMValueRef to);
