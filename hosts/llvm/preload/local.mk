# preload: libcof-preload.so, the program's side of programs that run natively.
# Linked with libc alone.

if HOST_LLVM
pkglib_LTLIBRARIES += libcof-preload.la
libcof_preload_la_CFLAGS  = $(AM_CFLAGS) -ftls-model=initial-exec
libcof_preload_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
# Bound at the start: the stand-ins are called in signal handlers. Initialized
# first: constructors of libraries read the environment (preload.c).
libcof_preload_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-Wl,-z,now -Wl,-z,initfirst -Wl,-z,nodelete
libcof_preload_la_SOURCES = \
	cof/base/onstack_x86_64.S \
	%D%/environment.c %D%/environment.h \
	%D%/handover.h \
	%D%/native.c %D%/native.h \
	%D%/preload.c \
	%D%/program_text.c %D%/program_text.h \
	%D%/services.h \
	%D%/start.c %D%/start.h
endif
