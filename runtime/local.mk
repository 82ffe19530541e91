# runtime: the command that runs a program under libcof. It becomes cof-llvm or
# cof-mono, the program of the host that can run it.

if HOST_ANY
bin_PROGRAMS += %D%/runtime
endif
%C%_runtime_SOURCES  = %D%/runtime.c \
	%D%/handoff.h \
	%D%/host.c %D%/host.h
%C%_runtime_LDFLAGS  = $(AM_LDFLAGS) $(RUNTIME_LDFLAGS)
%C%_runtime_LDADD    =
%C%_runtime_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
