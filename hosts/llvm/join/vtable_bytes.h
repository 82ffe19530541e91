/*
 * vtable_bytes.h - how large a vtable is (native/vtables.h)
 */
#pragma once

#include <cstdint>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

/* Of anything else 0. By its name: of a class, or of a base that is under
 * construction (Itanium C++ ABI, 5.1.4.1). */
inline uint32_t cofl_vtable_bytes(const llvm::GlobalValue &v)
{
	bool is_vtable = v.getName().starts_with("_ZTV") ||
			 v.getName().starts_with("_ZTC");

	if (!is_vtable || !llvm::isa<llvm::GlobalVariable>(v))
		return 0;
	return uint32_t(v.getParent()->getDataLayout().getTypeAllocSize(
		v.getValueType()));
}
