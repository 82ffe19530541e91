# runtime: the command that runs a program under libcof

if HOST_LLVM
bin_PROGRAMS += %D%/runtime
%C%_runtime_SOURCES  = %D%/runtime.c %D%/dotnet.c %D%/dotnet.h \
	%D%/interpose.c %D%/interpose.h \
	%D%/stack.c %D%/stack.h
%C%_runtime_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm $(JEMALLOC_CFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'
%C%_runtime_LDFLAGS  = $(AM_LDFLAGS) -export-dynamic
# libgcc_s first: unwinding has one owner in the process.
%C%_runtime_LDADD    = libcofl-base.la libcof.la -lgcc_s $(JEMALLOC_LIBS) -lm -ldl
endif
