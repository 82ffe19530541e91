# module: libcof for the stock mono, which looks on

if HOST_MONO
# The module is for the stock `mono --profile=cof`. It contains libcof and
# exports nothing of it. Functions that it lacks are mono's. It stays loaded,
# since its signal handler stays installed.
lib_LTLIBRARIES += hosts/mono/libmono-profiler-cof.la
hosts_mono_libmono_profiler_cof_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(srcdir)/hosts/mono -isystem $(MONO_INCLUDE)
hosts_mono_libmono_profiler_cof_la_LDFLAGS  = $(AM_LDFLAGS) -module \
	-avoid-version -shared -Wl,-z,now -Wl,-z,nodelete \
	-export-symbols-regex '^mono_profiler_init_cof$$'
hosts_mono_libmono_profiler_cof_la_LIBADD   = libcof-all.la
hosts_mono_libmono_profiler_cof_la_SOURCES  = \
	%D%/locate.c %D%/locate.h \
	%D%/module.c \
	hosts/mono/vm/shutdown.c \
	hosts/mono/vm/threads.c
endif
