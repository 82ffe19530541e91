# The LLVM host: programs that have their bitcode in them. Not installed as
# libraries for others: libcof-preload.so is their user, in the program, which
# opens them in a namespace of their own.
#
#	libcofl-common.la	loader, profiles, cache of versions; no LLVM
#	libcofl.la		what needs LLVM; in the module libcof-llvm.so
#
# The module and cof-join are linked with LLVM_LIBS, which are LLVM's archives
# if those are there, and tests with LLVM_SHARED_LIBS, as there are many.

if HOST_LLVM
noinst_LTLIBRARIES += libcofl-common.la libcofl.la

cofl_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/%D% $(LLVM_CPPFLAGS)

# Visible: the module finds them where it is loaded.
libcofl_common_la_CFLAGS   = $(AM_CFLAGS) -fvisibility=default
libcofl_common_la_CPPFLAGS = $(cofl_cppflags) -DPKGLIBDIR='"$(pkglibdir)"'
libcofl_common_la_LIBADD   = libcofl-recover.la -lgcc_s -lstdc++ -ldl
libcofl_common_la_SOURCES  = %D%/cofl.h

# With exceptions, which nothing else has (support/recover.h).
noinst_LTLIBRARIES += libcofl-recover.la
libcofl_recover_la_CPPFLAGS = $(cofl_cppflags)
libcofl_recover_la_CXXFLAGS = $(AM_CXXFLAGS) -std=c++17 -fexceptions \
	-fvisibility=default -Wall -Wextra
libcofl_recover_la_SOURCES  =

libcofl_la_CPPFLAGS = $(cofl_cppflags)
libcofl_la_CXXFLAGS = $(AM_CXXFLAGS) -std=c++17 -fno-exceptions -fno-rtti \
	-fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra
libcofl_la_SOURCES  =
endif
