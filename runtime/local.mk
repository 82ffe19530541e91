# runtime: the command that runs a program under libcof. It executes the program
# itself, with libcof-preload.so in it, or becomes cof-mono.

if HOST_ANY
bin_PROGRAMS += %D%/runtime
endif
%C%_runtime_SOURCES  = %D%/runtime.c \
	%D%/bitcode.h \
	%D%/dotnet.c %D%/dotnet.h \
	%D%/inherited_filter.c %D%/inherited_filter.h \
	%D%/native.c %D%/native.h \
	%D%/place.c %D%/place.h \
	cof/base/clock.c cof/base/clock.h \
	cof/base/root_dir.c cof/base/root_dir.h \
	cof/options/option.c cof/options/option.h \
	cof/options/opts.c cof/options/opts.h \
	hosts/llvm/preload/executable.c hosts/llvm/preload/executable.h \
	hosts/llvm/preload/handover.h \
	hosts/llvm/support/record.c hosts/llvm/support/record.h \
	hosts/llvm/support/section.c hosts/llvm/support/section.h
if HOST_LLVM
%C%_runtime_SOURCES += %D%/bitcode.c \
	%D%/bitcode_link.c %D%/bitcode_link.h \
	%D%/bitcode_triple.c %D%/bitcode_triple.h \
	%D%/link_reason.c %D%/link_reason.h \
	%D%/linked_cache.c %D%/linked_cache.h \
	cof/options/tuning_parse.c \
	hosts/llvm/support/cache_dir.c hosts/llvm/support/cache_dir.h \
	hosts/llvm/support/linked_tail.c hosts/llvm/support/linked_tail.h \
	hosts/llvm/support/tuning.c hosts/llvm/support/tuning.h \
	hosts/llvm/version_cache/code_key.c hosts/llvm/version_cache/code_key.h
else
%C%_runtime_SOURCES += %D%/bitcode_none.c
endif
%C%_runtime_LDFLAGS  = $(AM_LDFLAGS) $(RUNTIME_LDFLAGS)
%C%_runtime_LDADD    =
%C%_runtime_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm \
	$(LLVM_CPPFLAGS) -DBINDIR='"$(bindir)"' \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DPKGLIBDIR='"$(pkglibdir)"'
