# The library. Its parts stand in one folder each; Makefile.am includes them in
# the order in which they may call each other.
#
# Tests link libcof-all.la, which hides nothing; users get libcof.la, which
# exports only what cof.h marks COF_API. Both are the same objects.

include_HEADERS = %D%/cof.h

noinst_LTLIBRARIES += libcof-all.la
libcof_all_la_CPPFLAGS = $(AM_CPPFLAGS) $(URCU_CFLAGS) $(UNWIND_CFLAGS) \
	$(SQLITE_CFLAGS)
libcof_all_la_LIBADD   = $(URCU_LIBS) -lpthread -lrt -ldl -lm
libcof_all_la_SOURCES  = %D%/instance.h

lib_LTLIBRARIES += libcof.la
libcof_la_SOURCES =
libcof_la_LIBADD  = libcof-all.la
# Bound at once: the dynamic linker has no business in the signal handler.
libcof_la_LDFLAGS = $(AM_LDFLAGS) -Wl,-z,now -version-info $(COF_LT_VERSION) \
	-no-undefined \
	-Wl,--version-script=$(srcdir)/%D%/cof.map
EXTRA_libcof_la_DEPENDENCIES = %D%/cof.map
EXTRA_DIST += %D%/cof.map
