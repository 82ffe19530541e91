# runtime: the command that runs a program under libcof. It becomes cof-llvm or
# cof-mono, the program of the host that can run it.

if HOST_ANY
bin_PROGRAMS += %D%/runtime
endif
%C%_runtime_SOURCES  = %D%/runtime.c \
	%D%/handoff.h \
	%D%/host.c %D%/host.h \
	%D%/native.c %D%/native.h \
	hosts/llvm/preload/executable.c hosts/llvm/preload/executable.h \
	hosts/llvm/preload/handover.h \
	hosts/llvm/support/record.c hosts/llvm/support/record.h \
	hosts/llvm/support/section.c hosts/llvm/support/section.h
%C%_runtime_LDFLAGS  = $(AM_LDFLAGS) $(RUNTIME_LDFLAGS)
%C%_runtime_LDADD    =
%C%_runtime_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DPKGLIBDIR='"$(pkglibdir)"'
