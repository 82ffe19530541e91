/*
 * joined.h - pieces of bitcode, from text, joined as cof-join does
 */
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

#include "../ir_text.h"
#include "join/join.h"

enum { PARTS_MOST = 500 };

static struct cofl_piece_decisions piece[PARTS_MOST];
static struct cofl_resolution resolution = { .piece = piece };

static LLVMModuleRef joined;	/* of the last join() */
static LLVMContextRef context;

/* A piece, with `n` decisions. */
static inline void add_piece(const char *text, struct cofl_decision *decision,
		      size_t n)
{
	struct cofl_piece_decisions *to = &piece[resolution.n_pieces++];
	LLVMContextRef own;
	LLVMModuleRef module = ir_text(text, &own);
	LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
	char *bytes = malloc(LLVMGetBufferSize(bitcode));

	assert_non_null(bytes);
	*to = (struct cofl_piece_decisions){
		.bytes = bytes, .n_bytes = LLVMGetBufferSize(bitcode),
		.decision = decision, .n = n };
	memcpy(bytes, LLVMGetBufferStart(bitcode), to->n_bytes);
	LLVMDisposeMemoryBuffer(bitcode);
	LLVMDisposeModule(module);
	LLVMContextDispose(own);
}

static inline void add_part(const char *text)
{
	add_piece(text, NULL, 0);
}

/* Join the pieces, into `joined`. The number of functions that it defines; -1:
 * they cannot be joined, and `why` says so. Forgets the pieces. */
static inline int join(char *why, size_t why_bytes)
{
	LLVMMemoryBufferRef bitcode;
	struct cofl_joined made;
	int n = 0;
	bool done = cofl_join(&made, &resolution, why, why_bytes);

	for (size_t i = 0; i < resolution.n_pieces; i++)
		free((void *)(uintptr_t)piece[i].bytes);
	resolution.n_pieces = 0;
	if (!done)
		return -1;
	context = LLVMContextCreate();
	bitcode = LLVMCreateMemoryBufferWithMemoryRange(
		made.bitcode, made.n_bitcode, "", 0);
	assert_false(LLVMParseBitcodeInContext2(context, bitcode, &joined));
	for (LLVMValueRef f = LLVMGetFirstFunction(joined); f != NULL;
	     f = LLVMGetNextFunction(f))
		n += !LLVMIsDeclaration(f);
	LLVMDisposeMemoryBuffer(bitcode);
	cofl_joined_free(&made);
	return n;
}

static inline void forget(void)
{
	LLVMDisposeModule(joined);
	LLVMContextDispose(context);
}

/* Addresses are looked up in it, and nothing of a piece is there. */
static inline int open_executable(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	resolution.n_bytes = (size_t)st.st_size;
	resolution.bytes = mmap(NULL, resolution.n_bytes, PROT_READ,
				MAP_PRIVATE, fd, 0);
	close(fd);
	return resolution.bytes == MAP_FAILED;
}

/* Join one piece; the test fails if it cannot be. */
static inline void join_text(const char *text)
{
	char why[256];

	add_part(text);
	if (join(why, sizeof(why)) < 0)
		fail_msg("%s", why);
}

/* Has a function of `joined` the attribute? */
static inline bool has(const char *name, const char *attribute)
{
	return LLVMGetEnumAttributeAtIndex(
		LLVMGetNamedFunction(joined, name), LLVMAttributeFunctionIndex,
		LLVMGetEnumAttributeKindForName(attribute,
						strlen(attribute))) != NULL;
}
