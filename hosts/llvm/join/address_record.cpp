/*
 * address_record.cpp - see address_record.h
 */
#include "join/address_record.h"

#include <algorithm>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Mangler.h>

#include "join/assembly_text.h"
#include "join/entry_code.h"
#include "join/vtable_bytes.h"
#include "support/addresses.h"
#include "support/linkage.h"

using namespace llvm;

/* -- What is local --------------------------------------------------------- */

static const char attachment[] = "cof.place";

/* Address, COFL_LINKAGE_... */
static void attach(GlobalObject &o, const cofl_local_place &place)
{
	LLVMContext &context = o.getContext();
	Type *word = Type::getInt64Ty(context);

	o.setMetadata(attachment, MDNode::get(context, {
		ConstantAsMetadata::get(ConstantInt::get(word, place.address)),
		ConstantAsMetadata::get(ConstantInt::get(word, place.flags)),
	}));
}

void cofl_address_record_attach(Module &piece,
				const cofl_piece_decisions &decisions)
{
	StringMap<const cofl_local_place *> by_name;
	Mangler mangler;

	for (size_t i = 0; i < decisions.n_locals; i++)
		by_name[decisions.local[i].name] = &decisions.local[i];
	for (GlobalObject &o : piece.global_objects()) {
		SmallString<128> name;

		if (!o.hasLocalLinkage() || !o.hasName())
			continue;
		mangler.getNameWithPrefix(name, &o, false);
		if (auto *place = by_name.lookup(name))
			attach(o, *place);
	}
}

void cofl_address_record_detach(Module &joined)
{
	for (GlobalObject &o : joined.global_objects())
		o.setMetadata(attachment, nullptr);
}

/* -- The table ------------------------------------------------------------- */

namespace {

struct place {
	uint64_t    address = 0;
	uint32_t    flags = 0;		/* COFL_ADDRESS_... */
	const char *version = nullptr;
};

class table {
public:
	table(Module &m, const cofl_resolution &r) : module(m), from(r) {}
	void make();
	std::string bytes();

private:
	bool local(const GlobalObject &o, place &to) const;
	bool alias(const GlobalAlias &a, place &to) const;
	bool ifunc(const GlobalIFunc &i, place &to) const;
	bool named(const GlobalValue &v, place &to) const;
	bool find(const GlobalValue &v, place &to) const;
	void collect();
	void enter(const GlobalValue &v, const place &p);
	void set_bytes();
	bool look(const Constant &c);
	bool has_all(const Constant &c);
	bool has_all(const Function &f);
	void collect_renamed();
	bool is_clear(const InlineAsm &a) const;
	uint32_t name(StringRef s);

	Module &module;
	const cofl_resolution &from;
	Mangler mangler;
	DenseMap<const GlobalValue *, place> places;
	DenseMap<const Constant *, bool> known;	/* has_all() of it */
	StringSet<> renamed;	/* names that more than one had */
	std::vector<cofl_address> functions, others;
	std::string names;
};

bool table::local(const GlobalObject &o, place &to) const
{
	MDNode *node = o.getMetadata(attachment);
	uint64_t flags;

	if (node == nullptr)
		return false;
	to.address = mdconst::extract<ConstantInt>(node->getOperand(0))
			     ->getZExtValue();
	flags = mdconst::extract<ConstantInt>(node->getOperand(1))
			->getZExtValue();
	to.flags = COFL_ADDRESS_LOCAL;
	if (flags & COFL_LINKAGE_TLS)
		to.flags |= COFL_ADDRESS_TLS;
	if (flags & COFL_LINKAGE_PATCHABLE)
		to.flags |= COFL_ADDRESS_PATCHABLE;
	return to.address != 0 || flags & COFL_LINKAGE_TLS;
}

bool table::named(const GlobalValue &v, place &to) const
{
	SmallString<128> name;

	mangler.getNameWithPrefix(name, &v, false);
	auto *found = cofl_places_find(&from.places, name.c_str());
	if (found == nullptr)
		return false;
	to.address = found->address;
	to.flags = found->flags;
	to.version = found->version;
	return true;
}

bool table::ifunc(const GlobalIFunc &i, place &to) const
{
	auto *resolver = i.getResolverFunction();

	if (resolver == nullptr || !find(*resolver, to))
		return false;
	to.flags = COFL_ADDRESS_IFUNC;
	return true;
}

/* The dynamic linker's names are for addresses in what is named else. */
bool table::alias(const GlobalAlias &a, place &to) const
{
	const DataLayout &layout = module.getDataLayout();
	APInt offset(layout.getIndexTypeSizeInBits(a.getType()), 0);
	auto *base = dyn_cast<GlobalValue>(
		a.getAliasee()->stripAndAccumulateConstantOffsets(layout,
								  offset,
								  true));

	if (base == nullptr || !find(*base, to))
		return false;
	to.address += offset.getZExtValue();
	to.flags &= ~uint32_t(COFL_ADDRESS_PATCHABLE | COFL_ADDRESS_LOCAL);
	return true;
}

bool table::find(const GlobalValue &v, place &to) const
{
	bool found;

	if (auto *i = dyn_cast<GlobalIFunc>(&v))
		found = ifunc(*i, to);
	else if (v.hasLocalLinkage() && isa<GlobalObject>(v))
		found = local(cast<GlobalObject>(v), to);
	else
		found = named(v, to);
	if (!found && isa<GlobalAlias>(v))
		found = alias(cast<GlobalAlias>(v), to);
	if (found && v.hasLocalLinkage())
		to.flags |= COFL_ADDRESS_LOCAL;
	return found;
}

void table::collect()
{
	for (GlobalValue &v : module.global_values()) {
		place p;

		if (v.getName().starts_with("llvm.") || !v.hasName() ||
		    !find(v, p))
			continue;
		if (isa<Function>(v) && !v.isDeclarationForLinker() &&
		    p.address != 0 && !(p.flags & COFL_ADDRESS_LIBRARY))
			p.flags |= COFL_ADDRESS_FUNCTION;
		else
			p.flags &= ~uint32_t(COFL_ADDRESS_PATCHABLE);
		places[&v] = p;
	}
}

/* -- Is all there? --------------------------------------------------------- */

bool is_copied(const GlobalValue &v)
{
	auto *g = dyn_cast<GlobalVariable>(&v);

	return g != nullptr && g->isConstant() && g->hasLocalLinkage() &&
	       g->hasGlobalUnnamedAddr() && g->hasInitializer();
}

bool table::look(const Constant &c)
{
	if (auto *v = dyn_cast<GlobalValue>(&c)) {
		if (v->getName().starts_with("llvm.") || places.count(v) != 0)
			return true;
		if (!is_copied(*v))
			return false;
	}
	for (const Use &u : c.operands())
		if (auto *part = dyn_cast<Constant>(u);
		    part != nullptr && !has_all(*part))
			return false;
	return true;
}

/* Linking appends a number to a local name that was taken. The assembler's text
 * goes on naming what it did, whichever has that name now; or what its file's
 * assembly has for itself. */
void table::collect_renamed()
{
	for (size_t p = 0; p < from.n_pieces; p++)
		for (size_t i = 0; i < from.piece[p].n_locals; i++)
			if (from.piece[p].local[i].flags &
			    COFL_LINKAGE_ASSEMBLY)
				renamed.insert(from.piece[p].local[i].name);
	for (GlobalObject &o : module.global_objects()) {
		StringRef name = o.getName(), base;

		if (!o.hasLocalLinkage())
			continue;
		base = name.rtrim("0123456789");
		if (base.size() != name.size() && base.consume_back("."))
			renamed.insert(base);
	}
}

/* No word of it names more than one thing, and it writes no table in another
 * section, unless for debuggers: a copy's would not be the program's. */
bool table::is_clear(const InlineAsm &a) const
{
	StringRef text = a.getAsmString();

	return (text.contains(".note.stapsdt") ||
		!(text.contains("section") || cofl_assembly_defines(text))) &&
	       !cofl_assembly_names(text, renamed);
}

/* A constant that leads to itself has what the rest of it has. */
bool table::has_all(const Constant &c)
{
	auto [at, is_new] = known.try_emplace(&c, true);

	if (!is_new)
		return at->second;
	return known[&c] = look(c);
}

bool table::has_all(const Function &f)
{
	for (const Use &u : f.operands())
		if (!has_all(*cast<Constant>(u)))
			return false;
	for (const Instruction &i : instructions(f))
		for (const Use &u : i.operands()) {
			auto *c = dyn_cast<Constant>(u);
			auto *a = dyn_cast<InlineAsm>(u);

			if ((c != nullptr && !has_all(*c)) ||
			    (a != nullptr && !is_clear(*a)))
				return false;
		}
	return true;
}

/* -- Bytes ----------------------------------------------------------------- */

uint32_t table::name(StringRef s)
{
	uint32_t at = uint32_t(names.size());

	names += s;
	names += '\0';
	return at;
}

void table::enter(const GlobalValue &v, const place &p)
{
	cofl_address a = {};

	a.address = p.address;
	a.flags = uint16_t(p.flags);
	a.bytes = cofl_vtable_bytes(v);
	a.name = name(v.getName());
	if (p.version != nullptr)
		a.version = name(p.version);
	(p.flags & COFL_ADDRESS_FUNCTION ? functions : others).push_back(a);
}

/* Up to where the symbols say, or to the next function. */
void table::set_bytes()
{
	cofl_elf_symbols symbols;
	bool has_symbols = cofl_elf_symbols_open(&symbols, from.bytes,
						 from.n_bytes);
	cofl::entry_code code(from.bytes, from.n_bytes);

	for (size_t i = 0; i < functions.size(); i++) {
		cofl_address &a = functions[i];
		size_t n = 0;
		auto *s = has_symbols ?
			  cofl_elf_symbols_at(&symbols, a.address, &n) :
			  nullptr;

		if (i + 1 < functions.size())
			a.bytes = uint32_t(functions[i + 1].address -
					   a.address);
		for (; n > 0; n--, s++)
			if (s->type == STT_FUNC && s->size != 0)
				a.bytes = uint32_t(s->size);
		code.look(a);
	}
	if (has_symbols)
		cofl_elf_symbols_close(&symbols);
}

/* A function for which something is missing is not to be built. */
void table::make()
{
	collect();
	collect_renamed();
	for (auto &f : module)
		if (auto at = places.find(&f); at != places.end() &&
		    at->second.flags & COFL_ADDRESS_FUNCTION && !has_all(f))
			at->second.flags &= ~uint32_t(COFL_ADDRESS_FUNCTION |
						      COFL_ADDRESS_PATCHABLE);
	names.push_back('\0');
	for (GlobalValue &v : module.global_values())
		if (auto at = places.find(&v); at != places.end())
			enter(v, at->second);
}

std::string table::bytes()
{
	cofl_addresses head = {};
	std::string all;

	std::stable_sort(functions.begin(), functions.end(),
			 [](auto &a, auto &b) {
				 return a.address < b.address; });
	/* Of functions with one code, the first stands for it. */
	for (size_t i = functions.size(); i-- > 1;)
		if (functions[i].address == functions[i - 1].address) {
			functions[i].flags &= uint16_t(
				~(COFL_ADDRESS_FUNCTION |
				  COFL_ADDRESS_PATCHABLE));
			others.push_back(functions[i]);
			functions.erase(functions.begin() + ptrdiff_t(i));
		}
	std::sort(others.begin(), others.end(), [&](auto &a, auto &b) {
		return strcmp(&names[a.name], &names[b.name]) < 0;
	});
	set_bytes();
	names.resize((names.size() + 7) / 8 * 8);
	head.magic = COFL_ADDRESSES_MAGIC;
	head.n_functions = uint32_t(functions.size());
	head.n = uint32_t(functions.size() + others.size());
	head.name_bytes = names.size();
	functions.insert(functions.end(), others.begin(), others.end());
	all.append(reinterpret_cast<char *>(&head), sizeof(head));
	all.append(reinterpret_cast<char *>(functions.data()),
		   functions.size() * sizeof(cofl_address));
	return all + names;
}

} /* namespace */

std::string cofl_address_record_make(Module &joined, const cofl_resolution &r)
{
	table t(joined, r);

	t.make();
	return t.bytes();
}
