/*
 * plugin.cpp - in clang: store the module's bitcode in the object, and have the
 * linker note what it decides
 *
 * clang calls it when a module is optimized and before it becomes code. So one
 * process makes both, and the object's code comes from its bitcode.
 *
 * The assembler reads the bitcode from a file without a name, through /proc. In
 * assembly that clang leaves in a file, as with -save-temps, the bytes are
 * written out.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include "hosts/llvm/support/linkage.h"
#include "hosts/llvm/support/record.h"
#include "plugin_entry.h"
#include "plugin_incbin.h"
#include "plugin_labels.h"
#include "plugin_linkage.h"
#include "plugin_points.h"

using namespace llvm;

static SmallString<0> record_of(const Module &m, cofl_record &head)
{
	const char *reason = getenv(COFL_RECORD_ENV);
	SmallString<0> bytes(StringRef(reinterpret_cast<char *>(&head),
				       sizeof(head)));
	raw_svector_ostream out(bytes);

	if (reason == nullptr && plugin_incbin_is_left(m))
		reason = "a file that its assembly includes";
	if (reason != nullptr)
		out << reason;
	else
		WriteBitcodeToFile(m, out);
	cofl_record_make(&head, reason != nullptr ? COFL_RECORD_LEFT_OUT :
						    COFL_RECORD_BITCODE,
			 bytes.data() + sizeof(head),
			 bytes.size() - sizeof(head));
	memcpy(bytes.data(), &head, sizeof(head));
	return bytes;
}

/* A descriptor of a file with these bytes; -1: there is none. */
static int file_of(StringRef bytes)
{
	int fd = memfd_create("cof-cc", 0);

	while (fd >= 0 && !bytes.empty()) {
		ssize_t n = write(fd, bytes.data(), bytes.size());

		if (n <= 0) {
			close(fd);
			return -1;
		}
		bytes = bytes.drop_front(size_t(n));
	}
	return fd;
}

static void write_out(StringRef bytes, raw_ostream &to)
{
	for (size_t i = 0; i < bytes.size(); i++)
		to << (i % 32 == 0 ? "\n\t.byte\t" : ",")
		   << unsigned(uint8_t(bytes[i]));
}

/* Section .debug.cof tells by name where things are. */
static void name_all(Module &m)
{
	for (GlobalValue &v : m.global_values())
		if (!v.hasName())
			v.setName("cof.unnamed");
}

/*
 * A small loop that lies across two cache lines may take half as long again
 * (docs/lab/native.md). A point makes a loop longer, so more of them would lie
 * across two. What -falign-loops asks for stays. LLVM aligns no loops in
 * functions that are optimized for size.
 */
static void align_loops(TargetMachine &machine)
{
	if (machine.Options.LoopAlignment == 0)
		machine.Options.LoopAlignment = COFL_LINKAGE_LOOP_BYTES;
}

static bool before_code(Module &m, TargetMachine &machine, CodeGenFileType type,
			raw_pwrite_stream &)
{
	const Triple &triple = m.getTargetTriple();
	std::string text;
	raw_string_ostream assembly(text);
	int fd = -1;

	if (triple.getArch() != Triple::x86_64 || !triple.isOSLinux() ||
	    triple.isX32() || type == CodeGenFileType::Null)
		return false;
	cofl_record head = {};
	name_all(m);
	plugin_incbin_replace(m);
	plugin_labels_share(m);
	SmallString<0> bytes = record_of(m, head);
	if (head.kind == COFL_RECORD_BITCODE) {
		assembly << plugin_linkage(m, head,
					   type == CodeGenFileType::ObjectFile);
		plugin_points_add(m);
		plugin_entry_add(m);
		align_loops(machine);
	}
	assembly << "\t.pushsection\t.cof.bc,\"\",@progbits\n\t.balign\t8";
	if (type == CodeGenFileType::ObjectFile)
		fd = file_of(bytes);
	/* There may be no /proc, in a chroot(2). */
	if (fd >= 0 && access("/proc/self/fd", X_OK) == 0)
		assembly << "\n\t.incbin\t\"/proc/self/fd/" << fd << '"';
	else
		write_out(bytes, assembly);
	assembly << "\n\t.popsection\n";
	m.appendModuleInlineAsm(text);
	return false;
}

extern "C" __attribute__((visibility("default")))
PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return { LLVM_PLUGIN_API_VERSION, "cof-cc", "1", nullptr, before_code };
}
