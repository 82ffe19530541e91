# preload: libcof-preload.so, the program's side of programs that run natively.
# Linked with libc alone.

if HOST_LLVM
pkglib_LTLIBRARIES += libcof-preload.la
libcof_preload_la_CFLAGS  = $(AM_CFLAGS) -ftls-model=initial-exec
libcof_preload_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
# Bound at the start: the stand-ins are called in signal handlers. Initialized
# first: constructors of libraries read the environment
# (process/preload.c).
libcof_preload_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-Wl,-z,now -Wl,-z,initfirst -Wl,-z,nodelete
libcof_preload_la_SOURCES += \
	cof/base/handler_stack.c \
	cof/base/libc_signal.c \
	cof/base/onstack_x86_64.S \
	cof/base/sigreturn_x86_64.S \
	cof/process/former_action.c \
	cof/process/interrupted_call_x86_64.c \
	hosts/llvm/support/record.c \
	hosts/llvm/support/section.c \
	%D%/call_failed.c %D%/call_failed.h \
	%D%/code_writes.c %D%/code_writes.h \
	%D%/environment.c %D%/environment.h \
	%D%/executable.c %D%/executable.h \
	%D%/handover.h \
	%D%/hazard.c %D%/hazard.h \
	%D%/libc_calls.c %D%/libc_calls.h \
	%D%/native.c %D%/native.h \
	%D%/object_symbols.c %D%/object_symbols.h \
	%D%/program_text.c %D%/program_text.h \
	%D%/rtld_next.c %D%/rtld_next.h %D%/rtld_next.def \
	%D%/services.h \
	%D%/signal_stack.c %D%/signal_stack.h \
	%D%/stderr_line.c %D%/stderr_line.h \
	%D%/strings.c \
	%D%/thread_room.c %D%/thread_room.h
endif
