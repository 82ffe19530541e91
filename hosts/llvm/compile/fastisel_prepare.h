/*
 * fastisel_prepare.h - rewrite what LLVM's fast instruction selection declines
 *
 *	select i1 a, true, b           or  a, freeze b, as bytes
 *	select i1 a, b, false          and a, freeze b
 *	llvm.smin(a, b), ...           icmp, select
 *	... ; switch                   ... ; br | switch
 *
 * What FastISel declines goes to SelectionDAG, with all that stands before it
 * in the block. That takes several times as long. A switch stays as it is, but
 * alone in its block.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

#include "ir/clone.h"

/* Rewrite the body of `to`, in the unit's module, which has no marks any more
 * (points/osr_mark.h). */
void cofl_fastisel_prepare(struct cofl_clone *unit, LLVMValueRef to);
