/*
 * plugin_linkage.cpp - see plugin_linkage.h
 *
 *	.weakref  a reference that is none if the object has no other: nothing
 *	          is linked or exported because of it
 *	.set      a local name for the object's own definition, which stays what
 *	          it is when the linker takes another one
 */
#include "plugin_linkage.h"

#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Mangler.h>
#include <llvm/Object/ModuleSymbolTable.h>
#include <llvm/Support/raw_ostream.h>

#include "hosts/llvm/support/linkage.h"
#include "plugin_entry.h"

using namespace llvm;

namespace {

struct entry {
	std::string name;	/* as the assembler has it */
	std::string version;
	uint32_t    flags;
};

/* LLVM's parser is asked for what other assemblers may understand alone. */
struct silent : DiagnosticHandler {
	bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

class section {
public:
	explicit section(const Module &m) : module(m) {}
	std::string text(const cofl_record &record, bool integrated);

private:
	void collect();
	void collect_assembly();
	void collect_starts();
	void starts_of(const Constant *c);
	void add(const GlobalValue &v);
	void write_entry(raw_ostream &to, size_t i, bool integrated);

	const Module &module;
	Mangler mangler;
	std::vector<entry> entries;
	SmallPtrSet<const GlobalValue *, 8> starts;	/* and ends */
	StringMap<std::string> versions;
	std::string names;
};

/* Names of sections that the program can refer to the bounds of. */
bool has_bounds(StringRef name)
{
	return !name.empty() && name[0] != '.';
}

bool is_list_of_starts(const GlobalVariable &g)
{
	StringRef at = g.getSection(), name = g.getName();

	return at.starts_with(".init_array") ||
	       at.starts_with(".preinit_array") ||
	       at.starts_with(".fini_array") || at.starts_with(".ctors") ||
	       at.starts_with(".dtors") || name == "llvm.global_ctors" ||
	       name == "llvm.global_dtors";
}

void section::starts_of(const Constant *c)
{
	if (auto *v = dyn_cast<GlobalValue>(c)) {
		starts.insert(v);
		return;
	}
	for (const Use &u : c->operands())
		starts_of(cast<Constant>(u));
}

void section::collect_starts()
{
	for (const GlobalVariable &g : module.globals())
		if (g.hasInitializer() && is_list_of_starts(g))
			starts_of(g.getInitializer());
}

uint32_t flags_of(const GlobalValue &v, bool start)
{
	bool defined = !v.isDeclarationForLinker();
	uint32_t flags = defined ? COFL_LINKAGE_DEFINED : 0;

	if (v.isThreadLocal())
		flags |= COFL_LINKAGE_TLS;
	if (v.isWeakForLinker())
		flags |= COFL_LINKAGE_WEAK;
	if (v.hasCommonLinkage())
		flags |= COFL_LINKAGE_COMMON;
	if (isa<GlobalIFunc>(v) ||
	    isa_and_nonnull<GlobalIFunc>(v.getAliaseeObject()))
		flags |= COFL_LINKAGE_IFUNC;
	if (isa<GlobalAlias>(v))
		flags |= COFL_LINKAGE_ALIAS;
	if (v.hasLocalLinkage())
		flags |= COFL_LINKAGE_LOCAL;
	if (v.getValueType()->isFunctionTy())
		flags |= COFL_LINKAGE_FUNCTION;
	if (has_bounds(v.getSection()) && !start)
		flags |= COFL_LINKAGE_SECTION;
	if (v.hasLocalLinkage() && !start && !(flags & COFL_LINKAGE_SECTION))
		flags |= COFL_LINKAGE_PLACE;
	if (auto *f = dyn_cast<Function>(&v);
	    f != nullptr && plugin_entry_is_patchable(*f))
		flags |= COFL_LINKAGE_PATCHABLE;
	return flags;
}

void section::add(const GlobalValue &v)
{
	bool start = starts.contains(&v);
	uint32_t flags = flags_of(v, start);
	SmallString<128> name;

	if (v.getName().starts_with("llvm.") || v.getName().empty() ||
	    (!(flags & COFL_LINKAGE_DEFINED) && v.use_empty()))
		return;
	if (auto *g = dyn_cast<GlobalVariable>(&v);
	    g != nullptr && g->getSection() == "llvm.metadata")
		return;
	mangler.getNameWithPrefix(name, &v, false);
	entries.push_back({ std::string(name), versions.lookup(v.getName()),
			    flags });
}

/* The names in lines ".comm NAME, ...". LLVM does not tell. */
StringSet<> common_in_assembly(StringRef rest)
{
	StringSet<> names;

	while (!rest.empty()) {
		size_t end = rest.find_first_of("\n;");
		StringRef line = rest.substr(0, end).trim();

		rest = end == StringRef::npos ? "" : rest.substr(end + 1);
		if (line.consume_front(".comm") &&
		    (line.starts_with(" ") || line.starts_with("\t")))
			names.insert(line.split(',').first.trim().trim('"'));
	}
	return names;
}

void section::collect_assembly()
{
	LLVMContext &context = module.getContext();
	auto handler = context.getDiagnosticHandler();
	StringSet<> commons = common_in_assembly(module.getModuleInlineAsm());

	context.setDiagnosticHandler(std::make_unique<silent>());
	ModuleSymbolTable::CollectAsmSymvers(
		module, [&](StringRef name, StringRef version) {
			versions[name] = std::string(version);
		});
	ModuleSymbolTable::CollectAsmSymbols(
		module,
		[&](StringRef name, object::BasicSymbolRef::Flags flags) {
			uint32_t is = COFL_LINKAGE_ASSEMBLY;

			if (!(flags & object::BasicSymbolRef::SF_Undefined))
				is |= COFL_LINKAGE_DEFINED;
			if (commons.contains(name))
				is |= COFL_LINKAGE_COMMON;
			else if (!(flags & object::BasicSymbolRef::SF_Global) &&
				 is & COFL_LINKAGE_DEFINED)
				is |= COFL_LINKAGE_LOCAL;
			/* A section's symbol; a label that no symbol table
			 * has, such as the assembler's for "1:", which gets
			 * another name each time; .symver made it, or only
			 * names it. */
			if (name.empty() || name.starts_with(".L") ||
			    name.contains('@') ||
			    (!(is & COFL_LINKAGE_DEFINED) &&
			     versions.contains(name)))
				return;
			entries.push_back({ std::string(name), "", is });
		});
	context.setDiagnosticHandler(std::move(handler));
}

void section::collect()
{
	if (!module.getModuleInlineAsm().empty())
		collect_assembly();
	collect_starts();
	for (const GlobalValue &v : module.global_values())
		add(v);
}

void write_name(raw_ostream &to, StringRef name)
{
	to << '"';
	for (char c : name) {
		if (c == '"' || c == '\\')
			to << '\\';
		to << c;
	}
	to << '"';
}

void section::write_entry(raw_ostream &to, size_t i, bool integrated)
{
	entry &e = entries[i];
	const char *suffix = e.flags & COFL_LINKAGE_TLS ? "@dtpoff" : "";
	bool defined = e.flags & COFL_LINKAGE_DEFINED;
	uint32_t version = 0;

	if (!integrated && StringRef(e.name).contains('@'))
		e.flags |= COFL_LINKAGE_UNTOLD;
	if (e.flags & (COFL_LINKAGE_IFUNC | COFL_LINKAGE_UNTOLD)) {
		to << "\t.quad\t0,0\n";
	} else if (!defined) {
		to << "\t.weakref\t.Lcof" << i << ',';
		write_name(to, e.name);
		to << "\n\t.quad\t.Lcof" << i << suffix << ",0\n";
	} else if (e.flags & COFL_LINKAGE_PLACE) {
		to << "\t.quad\t0,";
		write_name(to, e.name);
		to << suffix << '\n';
	} else if (e.flags & COFL_LINKAGE_COMMON) {
		to << "\t.quad\t";
		write_name(to, e.name);
		to << ",0\n";
	} else {
		to << "\t.set\t.Lcof" << i << ',';
		write_name(to, e.name);
		to << "\n\t.quad\t";
		write_name(to, e.name);
		to << suffix << ",.Lcof" << i << suffix << '\n';
	}
	to << "\t.long\t" << e.flags << ',' << names.size();
	names += e.name + '\0';
	if (!e.version.empty()) {
		version = uint32_t(names.size());
		names += e.version + '\0';
	}
	to << ',' << version << ",0\n";
}

std::string section::text(const cofl_record &record, bool integrated)
{
	std::string all, body;
	raw_string_ostream to(all), entry_to(body);
	size_t n;

	names.push_back('\0');
	collect();
	for (size_t i = 0; i < entries.size(); i++)
		write_entry(entry_to, i, integrated);
	names.resize((names.size() + 7) / 8 * 8);
	n = sizeof(cofl_linkage) + names.size() +
	    entries.size() * sizeof(cofl_linkage_entry);
	to << "\t.pushsection\t" COFL_SECTION_LINKAGE ",\"\",@progbits\n"
	      "\t.balign\t8\n\t.quad\t" << COFL_LINKAGE_MAGIC << ',' << n
	   << "\n\t.byte\t";
	for (size_t i = 0; i < sizeof(record.hash); i++)
		to << (i != 0 ? "," : "") << unsigned(record.hash[i]);
	to << "\n\t.quad\t" << entries.size() << '\n' << body;
	for (size_t i = 0; i < names.size(); i++)
		to << (i % 32 == 0 ? "\n\t.byte\t" : ",")
		   << unsigned(uint8_t(names[i]));
	to << "\n\t.popsection\n";
	return all;
}

} /* namespace */

std::string plugin_linkage(const Module &m, const cofl_record &record,
			   bool integrated)
{
	return section(m).text(record, integrated);
}
