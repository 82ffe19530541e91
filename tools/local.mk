# tools: show what libcof does in a process; compile with bitcode inside

bin_PROGRAMS += cof-stats
cof_stats_SOURCES = \
	%D%/cof-stats/cof-stats.c \
	tools/cof-stats/json_writer.c tools/cof-stats/json_writer.h \
	tools/cof-stats/print_head.c tools/cof-stats/print_head.h \
	tools/cof-stats/print_summary.c tools/cof-stats/print_summary.h \
	%D%/cof-stats/derived.c %D%/cof-stats/derived.h \
	%D%/cof-stats/escape.c %D%/cof-stats/escape.h \
	%D%/cof-stats/find.c %D%/cof-stats/find.h \
	%D%/cof-stats/identity.c %D%/cof-stats/identity.h \
	%D%/cof-stats/list.c %D%/cof-stats/list.h \
	%D%/cof-stats/print_json.c %D%/cof-stats/print_json.h \
	%D%/cof-stats/print_text.c %D%/cof-stats/print_text.h \
	%D%/cof-stats/reader.c %D%/cof-stats/reader.h \
	%D%/cof-stats/service.c %D%/cof-stats/service.h \
	%D%/cof-stats/units.c %D%/cof-stats/units.h \
	%D%/cof-stats/watch.c %D%/cof-stats/watch.h \
	%D%/cof-stats/why/why.c %D%/cof-stats/why/why.h \
	%D%/cof-stats/why/why_view.h \
	%D%/cof-stats/why/why_json.c %D%/cof-stats/why/why_text.c \
	hosts/llvm/support/record.c hosts/llvm/support/record.h \
	hosts/llvm/support/section.c hosts/llvm/support/section.h
cof_stats_LDADD = libcof-all.la
cof_stats_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm

# The compiler driver; as cof-c++ it compiles C++. clang loads its plug-in.
if HOST_LLVM
bin_PROGRAMS += cof-cc
cof_cc_SOURCES = \
	%D%/cof-cc/cc_line.c %D%/cof-cc/cc_line.h \
	%D%/cof-cc/cof-cc.c \
	%D%/cof-cc/command.c %D%/cof-cc/command.h \
	%D%/cof-cc/executable.c %D%/cof-cc/executable.h \
	%D%/cof-cc/link.c %D%/cof-cc/link.h \
	%D%/cof-cc/response.c %D%/cof-cc/response.h \
	%D%/cof-cc/strip.c %D%/cof-cc/strip.h \
	hosts/llvm/support/linkage.h \
	hosts/llvm/support/record.c hosts/llvm/support/record.h \
	hosts/llvm/support/section.c hosts/llvm/support/section.h
cof_cc_LDADD =
cof_cc_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"' \
	-DPKGLIBDIR='"$(pkglibdir)"' \
	-DCLANG='"$(CLANG)"' -DCLANGXX='"$(CLANGXX)"'

pkglib_LTLIBRARIES += cof-cc-plugin.la
cof_cc_plugin_la_SOURCES = \
	%D%/cof-cc/plugin.cpp \
	%D%/cof-cc/plugin_entry.cpp %D%/cof-cc/plugin_entry.h \
	%D%/cof-cc/plugin_incbin.cpp %D%/cof-cc/plugin_incbin.h \
	%D%/cof-cc/plugin_labels.cpp %D%/cof-cc/plugin_labels.h \
	%D%/cof-cc/plugin_linkage.cpp %D%/cof-cc/plugin_linkage.h \
	%D%/cof-cc/plugin_memory.cpp \
	%D%/cof-cc/plugin_points.cpp %D%/cof-cc/plugin_points.h \
	hosts/llvm/ir/blockaddress.c hosts/llvm/ir/blockaddress.h \
	hosts/llvm/ir/list.c hosts/llvm/ir/list.h \
	hosts/llvm/ir/llvm_shim.cpp hosts/llvm/ir/llvm_shim.h \
	hosts/llvm/ir/loops.cpp hosts/llvm/ir/loops.h \
	hosts/llvm/support/map.c hosts/llvm/support/map.h \
	hosts/llvm/ir/sink.cpp hosts/llvm/ir/sink.h \
	hosts/llvm/points/osr_entry.c hosts/llvm/points/osr_entry.h \
	hosts/llvm/points/osr_sparse.c hosts/llvm/points/osr_sparse.h \
	hosts/llvm/support/linkage.h hosts/llvm/support/native_points.h \
	hosts/llvm/support/record.c hosts/llvm/support/record.h
cof_cc_plugin_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm \
	$(LLVM_CPPFLAGS)
cof_cc_plugin_la_CXXFLAGS = $(libcofl_la_CXXFLAGS)
cof_cc_plugin_la_LDFLAGS  = $(AM_LDFLAGS) -module -avoid-version -shared

# The other name, in the folder where it is built as well.
all-local: cof-c++
cof-c++: cof-cc
	$(AM_V_GEN)rm -f $@ && $(LN_S) cof-cc $@
CLEANFILES += cof-c++

install-exec-hook:
	cd $(DESTDIR)$(bindir) && rm -f cof-c++ && $(LN_S) cof-cc cof-c++
uninstall-hook:
	rm -f $(DESTDIR)$(bindir)/cof-c++
endif
