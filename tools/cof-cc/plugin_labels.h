/*
 * plugin_labels.h - labels whose addresses other functions use
 *
 * At run time each version of a function has labels of its own, and tables of
 * them that are constant. Where another function uses such a table or label,
 * there must be one: a variable.
 */
#pragma once

#include <llvm/IR/Module.h>

void plugin_labels_share(llvm::Module &module);
