# tools: show what libcof does in a process; compile with bitcode inside

bin_PROGRAMS += cof-stats
cof_stats_SOURCES = \
	%D%/cof-stats.c \
	tools/cof-stats/json_writer.c tools/cof-stats/json_writer.h \
	tools/cof-stats/print_head.c tools/cof-stats/print_head.h \
	tools/cof-stats/print_summary.c tools/cof-stats/print_summary.h \
	%D%/derived.c %D%/derived.h \
	%D%/escape.c %D%/escape.h \
	%D%/find.c %D%/find.h \
	%D%/identity.c %D%/identity.h \
	%D%/list.c %D%/list.h \
	%D%/print_json.c %D%/print_json.h \
	%D%/print_text.c %D%/print_text.h \
	%D%/reader.c %D%/reader.h \
	%D%/units.c %D%/units.h \
	%D%/watch.c %D%/watch.h \
	%D%/why.c %D%/why.h %D%/why_view.h \
	%D%/why_json.c %D%/why_text.c \
	hosts/llvm/section.c hosts/llvm/section.h
cof_stats_LDADD = libcof-all.la

# The compiler driver; as cof-c++ it compiles C++.
if HOST_LLVM
bin_PROGRAMS += cof-cc
cof_cc_SOURCES = \
	%D%/cc_line.c %D%/cc_line.h \
	%D%/cof-cc.c \
	%D%/command.c %D%/command.h
cof_cc_LDADD =
cof_cc_CPPFLAGS = $(AM_CPPFLAGS) -DBINDIR='"$(bindir)"' \
	-DCLANG='"$(CLANG)"' -DCLANGXX='"$(CLANGXX)"'

install-exec-hook:
	cd $(DESTDIR)$(bindir) && rm -f cof-c++ && $(LN_S) cof-cc cof-c++
uninstall-hook:
	rm -f $(DESTDIR)$(bindir)/cof-c++
endif
