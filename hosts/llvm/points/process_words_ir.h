/*
 * process_words_ir.h - read the unit's process words (link/process_words.h)
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "ir/clone.h"

/* Load the field of struct cofl_process_words at `offset`, of 8 bytes, as a
 * `type` where the builder stands. `anew`: not from a load before. */
LLVMValueRef cofl_process_words_ir_load(struct cofl_clone *unit,
					LLVMTypeRef type, size_t offset,
					bool anew);
