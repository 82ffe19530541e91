/*
 * assembly_text.cpp - see assembly_text.h
 */
#include "join/assembly_text.h"

#include <algorithm>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

using namespace llvm;

bool cofl_assembly_defines(StringRef text)
{
	static const char *const words[] = { ".globl", ".global", ".data",
					     ".bss", ".set", ".weak" };
	SmallVector<StringRef, 16> statements;

	for (const char *word : words)
		if (text.contains(word))
			return true;
	text.split(statements, '\n');
	for (size_t i = 0; i < statements.size(); i++) {
		StringRef s = statements[i], name;

		if (size_t at = s.find(';'); at != StringRef::npos) {
			statements.push_back(s.drop_front(at + 1));
			s = s.take_front(at);
		}
		s = s.ltrim(" \t");
		name = s.take_while([](char c) {
			return isAlnum(c) || c == '_' || c == '.' || c == '$';
		});
		if (!name.empty() && !isDigit(name[0]) &&
		    !name.starts_with(".L") && name.find('$') == name.npos &&
		    s.drop_front(name.size()).ltrim(" \t").starts_with(":"))
			return true;
	}
	return false;
}

bool cofl_assembly_names(StringRef rest, const StringSet<> &names)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_.";

	while (!rest.empty()) {
		size_t n = std::min(rest.find_first_not_of(letters),
				    rest.size());

		if (names.contains(rest.take_front(n)))
			return true;
		rest = rest.drop_front(std::max<size_t>(n, 1));
	}
	return false;
}
