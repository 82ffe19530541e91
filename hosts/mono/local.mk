# The Mono host: .NET programs, on Debian's Mono 6.8. A program of its own, which
# `runtime` becomes, so that neither host's libraries are in the other's process.

if HOST_MONO
pkglibexec_PROGRAMS += %D%/cof-mono
%C%_cof_mono_CPPFLAGS = $(AM_CPPFLAGS) -isystem $(MONO_INCLUDE)
%C%_cof_mono_LDFLAGS  = $(AM_LDFLAGS) -export-dynamic
%C%_cof_mono_LDADD    = libcof.la $(MONO_ARCHIVE) -lm -lpthread -ldl -lrt
%C%_cof_mono_SOURCES  = \
	%D%/bits.h \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/calls.c %D%/calls.h \
	%D%/check.c %D%/check.h \
	%D%/compile.c %D%/compile.h \
	%D%/entry.c %D%/entry.h \
	%D%/host.h \
	%D%/identity.c %D%/identity.h \
	%D%/inlining.c %D%/inlining.h \
	%D%/inmono.c %D%/inmono.h \
	%D%/internals.h \
	%D%/island.c %D%/island.h \
	%D%/locate.c %D%/locate.h \
	%D%/main.c \
	%D%/method.c %D%/method.h \
	%D%/settings.c %D%/settings.h \
	%D%/threads.c %D%/threads.h \
	%D%/world.c %D%/world.h
endif
