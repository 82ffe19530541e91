/*
 * piece_move.h - put what a piece defines into the joined module as it is
 *
 * LLVM's linker copies each function and maps each operand. Once names mean
 * what the linker decided (piece.h) there is nothing to map: two pieces of one
 * context have the same types, and differ in the declarations of what the other
 * has. So functions and variables change modules, and their declarations give
 * way. What is left in the piece, its flags, its assembly and its lists, is for
 * LLVM's linker.
 */
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

/*
 * A piece with aliases, or one that defines what `all` does, stays as it is.
 * The piece may be lazily loaded. An error of the reader is returned; then
 * neither module is of any use.
 */
llvm::Error cofl_piece_move(llvm::Module &all, llvm::Module &piece);
