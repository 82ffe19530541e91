/*
 * plugin_points.h - points in native code, where its loops can be left
 *
 * They are those of link/osr_points.h: one instruction without effect in each
 * loop. The host finds the same loops, and the same values alive there, when it
 * reads the function's bitcode later (points/osr_entry.h), so nothing but the
 * places is noted (support/native_points.h).
 */
#pragma once

#include <llvm/IR/Module.h>

/* Add points to the definitions, and assembly that names their entries to the
 * module. The bitcode was written before. */
void plugin_points_add(llvm::Module &module);
