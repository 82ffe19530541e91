# The LLVM host: programs that are LLVM bitcode. Not installed as libraries for
# others: cof-llvm is their user.
#
#	libcofl-base.la   what cof-llvm is linked with: loader, images,
#	                  stand-ins
#	libcofl.la        what needs LLVM; in the module libcof-llvm.so, which
#	                  calls the base, and libcof, in cof-llvm that loaded it

if HOST_LLVM
noinst_LTLIBRARIES += libcofl-common.la libcofl-base.la libcofl.la

cofl_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/%D% $(LLVM_CPPFLAGS)

# What both ways of running a program have: loader, profiles, cache of versions.
# Visible: the module finds them where it is loaded.
libcofl_common_la_CFLAGS   = $(AM_CFLAGS) -fvisibility=default
libcofl_common_la_CPPFLAGS = $(cofl_cppflags) -DPKGLIBDIR='"$(pkglibdir)"'
libcofl_common_la_LIBADD   = libcofl-recover.la -lgcc_s -lstdc++ -ldl
libcofl_common_la_SOURCES  =

libcofl_base_la_CFLAGS   = $(AM_CFLAGS) -fvisibility=default
libcofl_base_la_CPPFLAGS = $(cofl_cppflags) -DPKGLIBDIR='"$(pkglibdir)"'
libcofl_base_la_LIBADD   = libcofl-common.la -ldl
libcofl_base_la_SOURCES  =

# With exceptions, which nothing else has (support/recover.h).
noinst_LTLIBRARIES += libcofl-recover.la
libcofl_recover_la_CPPFLAGS = $(cofl_cppflags)
libcofl_recover_la_CXXFLAGS = $(AM_CXXFLAGS) -std=c++17 -fexceptions \
	-fvisibility=default -Wall -Wextra
libcofl_recover_la_SOURCES  =

libcofl_la_CPPFLAGS = $(cofl_cppflags)
libcofl_la_CXXFLAGS = $(AM_CXXFLAGS) -std=c++17 -fno-exceptions -fno-rtti \
	-fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra
libcofl_la_LIBADD   = $(LLVM_LIBS)
libcofl_la_SOURCES  =

pkglib_LTLIBRARIES += libcof-llvm.la
libcof_llvm_la_SOURCES =
libcof_llvm_la_LIBADD  = libcofl.la
libcof_llvm_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared

# What `runtime` becomes for such a program. Libcof is inside: one library less
# to load in each start. Its SQLite is hidden, as in cof-mono.
pkglibexec_PROGRAMS += %D%/cof-llvm
%C%_cof_llvm_SOURCES  =
%C%_cof_llvm_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D% $(JEMALLOC_CFLAGS)
%C%_cof_llvm_LDFLAGS  = $(AM_LDFLAGS) -export-dynamic \
	-Wl,--exclude-libs=libsqlite3.a $(OWN_URCU_LDFLAGS)
# libgcc_s first: unwinding has one owner in the process. libstdc++ before
# jemalloc, which has operators new and delete as well.
%C%_cof_llvm_LDADD    = $(OWN_URCU_LIBS) libcofl-base.la libcof-all.la \
	-lgcc_s -lstdc++ \
	$(JEMALLOC_LIBS) -lm -ldl
endif
