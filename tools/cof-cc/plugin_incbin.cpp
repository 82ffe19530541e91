/*
 * plugin_incbin.cpp - see plugin_incbin.h
 */
#include "plugin_incbin.h"

#include <string>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

/* Take `, NUMBER` from the text. False: there is another thing. */
static bool take_number(StringRef &text, uint64_t &number)
{
	StringRef rest = text.ltrim(" \t");

	if (!rest.consume_front(","))
		return true;
	rest = rest.ltrim(" \t");
	if (!rest.consume_front(",")) {		/* else the first is left out */
		if (rest.consumeInteger(0, number))
			return false;
	} else {
		rest = StringRef(rest.data() - 1, rest.size() + 1);
	}
	text = rest;
	return true;
}

/* Take the operands of an .incbin, and write what they stand for. */
static bool replace_one(StringRef &text, raw_ostream &to)
{
	StringRef rest = text.ltrim(" \t");
	uint64_t skip = 0, count = UINT64_MAX;
	size_t end;

	if (!rest.consume_front("\"") ||
	    (end = rest.find('"')) == StringRef::npos)
		return false;
	auto file = MemoryBuffer::getFile(rest.take_front(end), false, false);
	rest = rest.drop_front(end + 1);
	if (!file || !take_number(rest, skip) || !take_number(rest, count))
		return false;
	rest = rest.ltrim(" \t");
	if (!rest.empty() && rest[0] != '\n' && rest[0] != ';' &&
	    rest[0] != '#')
		return false;
	text = rest;
	rest = (*file)->getBuffer().drop_front(
		std::min<uint64_t>(skip, (*file)->getBufferSize()));
	rest = rest.take_front(std::min<uint64_t>(count, rest.size()));
	/* On the same line, which may be a comment. */
	for (size_t i = 0; i < rest.size(); i++)
		to << (i % 32 == 0 ? i == 0 ? ".byte " : "; .byte " : ",")
		   << unsigned(uint8_t(rest[i]));
	return true;
}

void plugin_incbin_replace(Module &m)
{
	static const char word[] = ".incbin";
	StringRef text = m.getModuleInlineAsm();
	std::string all;
	raw_string_ostream to(all);
	size_t at;

	if (!text.contains(word))
		return;
	while ((at = text.find(word)) != StringRef::npos) {
		to << text.take_front(at);
		text = text.drop_front(at + strlen(word));
		if (!replace_one(text, to))
			to << word;
	}
	to << text;
	m.setModuleInlineAsm(all);
}

static bool names_file(StringRef assembly)
{
	return assembly.contains(".incbin") || assembly.contains(".include");
}

static bool names_file(const Function &f)
{
	for (const Instruction &i : instructions(f))
		if (auto *call = dyn_cast<CallBase>(&i))
			if (auto *a = dyn_cast<InlineAsm>(
				    call->getCalledOperand()))
				if (names_file(a->getAsmString()))
					return true;
	return false;
}

bool plugin_incbin_is_left(const Module &m)
{
	if (names_file(m.getModuleInlineAsm()))
		return true;
	for (const Function &f : m)
		if (names_file(f))
			return true;
	return false;
}
