/*
 * plugin_entry.cpp - see plugin_entry.h
 *
 * The bytes before the entry are prefix data: "patchable-function-prefix" would
 * give each function an entry in a section of its own, with a relocation.
 */
#include "plugin_entry.h"

#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

#include "hosts/llvm/support/linkage.h"

using namespace llvm;

/* Does something else want to be in front of the entry, or the first
 * instruction? */
static bool is_taken(const Function &f)
{
	static const char *const attributes[] = {
		"patchable-function", "patchable-function-entry",
		"patchable-function-prefix", "function-instrument",
		"xray-instruction-threshold"
	};
	static const unsigned metadata[] = {
		LLVMContext::MD_kcfi_type, LLVMContext::MD_func_sanitize
	};

	if (f.hasPrefixData() || f.hasPrologueData() ||
	    f.hasFnAttribute(Attribute::Naked))
		return true;
	for (const char *name : attributes)
		if (f.hasFnAttribute(name))
			return true;
	for (unsigned kind : metadata)
		if (f.hasMetadata(kind))
			return true;
	return false;
}

bool plugin_entry_is_patchable(const Function &f)
{
	return !f.isDeclarationForLinker() && !is_taken(f);
}

/* The prefix is as long as the alignment, so that the entry has that, too. */
static void add(Function &f)
{
	uint64_t n = std::max<uint64_t>(COFL_LINKAGE_PREFIX_BYTES,
					f.getAlign().valueOrOne().value());
	std::vector<uint8_t> bytes(n, COFL_LINKAGE_PREFIX_BYTE);

	f.addFnAttr("patchable-function", "prologue-short-redirect");
	f.setPrefixData(ConstantDataArray::get(f.getContext(), bytes));
}

void plugin_entry_add(Module &m)
{
	for (Function &f : m)
		if (plugin_entry_is_patchable(f))
			add(f);
}
