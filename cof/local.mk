# The core: the public header, the tables, and what every stage uses.
#
# Tests link libcof-all.la, which hides nothing; users get libcof.la, which
# exports only what cof.h marks COF_API. Both are the same objects.

include_HEADERS = %D%/cof.h

noinst_LTLIBRARIES += libcof-all.la
libcof_all_la_CPPFLAGS = $(AM_CPPFLAGS) $(URCU_CFLAGS) $(UNWIND_CFLAGS)
libcof_all_la_LIBADD   = $(URCU_LIBS) $(PFM_LIBS) -lpthread -lrt -ldl
libcof_all_la_SOURCES  = \
	%D%/clock.h \
	%D%/cof.c %D%/instance.h \
	%D%/flow.c %D%/flow.h %D%/flow.def \
	%D%/jitinfo.c %D%/jitinfo.h \
	%D%/mem.c %D%/mem.h \
	%D%/method.c \
	%D%/opts.c %D%/opts.h %D%/opts.def \
	%D%/process.c %D%/process.h \
	%D%/ring.h \
	%D%/role.c %D%/role.h \
	%D%/share.c %D%/share.h \
	%D%/stage.c %D%/stage.h \
	%D%/version.h %D%/word.h

lib_LTLIBRARIES += libcof.la
libcof_la_SOURCES =
libcof_la_LIBADD  = libcof-all.la
libcof_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(COF_LT_VERSION) -no-undefined \
	-Wl,--version-script=$(srcdir)/%D%/cof.map
EXTRA_libcof_la_DEPENDENCIES = %D%/cof.map
EXTRA_DIST += %D%/cof.map
