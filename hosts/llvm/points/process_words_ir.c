/*
 * process_words_ir.c - a constant whose value the optimizer does not know
 */
#include "points/process_words_ir.h"

#include "ir/copy.h"
#include "link/process_words.h"

#define NAME "cof.process"

static LLVMValueRef words(struct cofl_clone *unit)
{
	LLVMValueRef words = LLVMGetNamedGlobal(unit->module, NAME);
	LLVMTypeRef type;

	if (words != NULL)
		return words;
	type = LLVMArrayType2(LLVMInt64TypeInContext(unit->copy->context),
			      sizeof(struct cofl_process_words) /
			      sizeof(uint64_t));
	words = LLVMAddGlobal(unit->module, type, NAME);
	LLVMSetInitializer(words, LLVMConstNull(type));
	LLVMSetLinkage(words, LLVMInternalLinkage);
	LLVMSetGlobalConstant(words, 1);
	LLVMSetExternallyInitialized(words, 1);
	LLVMSetSection(words, COFL_PROCESS_WORDS_SECTION);
	LLVMSetAlignment(words, _Alignof(struct cofl_process_words));
	return words;
}

LLVMValueRef cofl_process_words_ir_load(struct cofl_clone *unit,
					LLVMTypeRef type, size_t offset,
					bool anew)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef at = cofl_clone_i32(unit, (uint32_t)offset), value;

	at = LLVMBuildGEP2(builder,
			   LLVMInt8TypeInContext(unit->copy->context),
			   words(unit), &at, 1, "");
	value = LLVMBuildLoad2(builder, type, at, "");
	LLVMSetVolatile(value, anew);
	return value;
}
