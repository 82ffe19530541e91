# The LLVM host: programs that are LLVM bitcode. Not installed as a library yet:
# `runtime` is its user.

if HOST_LLVM
noinst_LTLIBRARIES += libcofl.la
libcofl_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D% $(LLVM_CPPFLAGS)
libcofl_la_LIBADD   = $(LLVM_LIBS) -lgcc_s -lstdc++ -ldl
libcofl_la_SOURCES  = \
	%D%/build.c %D%/build.h \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/clone.c %D%/clone.h %D%/constant.c \
	%D%/cofl.h \
	%D%/copy.c %D%/copy.h \
	%D%/data.c %D%/data.h \
	%D%/fatal.c %D%/fatal.h \
	%D%/forks.c %D%/forks.h \
	%D%/host.h \
	%D%/label.c %D%/label.h \
	%D%/loader.c %D%/loader.h \
	%D%/map.c %D%/map.h \
	%D%/object.c %D%/object.h \
	%D%/onstack.h %D%/onstack_x86_64.S \
	%D%/place.c %D%/place.h \
	%D%/program.c \
	%D%/sigmask.c %D%/sigmask.h \
	%D%/special.c %D%/special.h \
	%D%/symbols.c %D%/symbols.h \
	%D%/thread.c %D%/thread.h \
	%D%/tls.c %D%/tls.h
endif
