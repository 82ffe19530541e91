# The Mono host: .NET programs, on Debian's Mono 6.8.
#
# cof-mono is a program, and `runtime` becomes it, so that neither host's libraries are
# in the other's process. It contains libcof, so each start loads one library less. It
# hides its SQLite, or a library of the program would find that in place of its own.

if HOST_MONO
pkglibexec_PROGRAMS += %D%/cof-mono
%C%_cof_mono_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D% -isystem $(MONO_INCLUDE)
%C%_cof_mono_LDFLAGS  = $(AM_LDFLAGS) -export-dynamic \
	-Wl,--wrap=mono_jit_info_get_method \
	-Wl,--wrap=mono_debug_lookup_source_location \
	-Wl,--wrap=mono_seq_point_find_prev_by_native_offset \
	-Wl,--wrap=mono_seq_point_info_free \
	-Wl,--wrap=mono_runtime_class_init_full \
	-Wl,--wrap=mono_thread_info_sleep -Wl,--wrap=mmap \
	-Wl,--wrap=mono_thread_info_safe_suspend_and_run \
	-Wl,--wrap=mono_gc_is_finalizer_internal_thread \
	-Wl,--wrap=mono_profiler_raise_thread_started \
	-Wl,--wrap=mono_profiler_raise_thread_stopping \
	-Wl,--wrap=mono_profiler_raise_thread_stopped \
	-Wl,--exclude-libs=libsqlite3.a
%C%_cof_mono_LDADD    = libcof-all.la $(MONO_ARCHIVE) -lm -lpthread -ldl -lrt
%C%_cof_mono_SOURCES  = \
	%D%/bits.h \
	%D%/body.c %D%/body.h \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/calls.c %D%/calls.h \
	%D%/cctors.c %D%/cctors.h \
	%D%/check.c %D%/check.h \
	%D%/compile.c %D%/compile.h \
	%D%/ending.c %D%/ending.h \
	%D%/entries.c %D%/entries.h \
	%D%/entry.c %D%/entry.h \
	%D%/estimate.c %D%/estimate.h \
	%D%/host.h \
	%D%/identity.c %D%/identity.h \
	%D%/il.c %D%/il.h \
	%D%/inlining.c %D%/inlining.h \
	%D%/inmono.c %D%/inmono.h \
	%D%/internals.h \
	%D%/island.c %D%/island.h \
	%D%/lines.c %D%/lines.h \
	%D%/locate.c %D%/locate.h \
	%D%/main.c \
	%D%/method.c %D%/method.h \
	%D%/near.c \
	%D%/ours.c %D%/ours.h \
	%D%/profile.c %D%/profile.h \
	%D%/record.c %D%/record.h \
	%D%/settings.c %D%/settings.h \
	%D%/shared.c %D%/shared.h \
	%D%/threads.c %D%/threads.h \
	%D%/vm/tuning.c %D%/vm/tuning.h %D%/vm/tuning.def \
	%D%/world.c %D%/world.h

# The module is for the stock `mono --profile=cof`. It contains libcof and exports
# nothing of it. Functions that it lacks are mono's. It stays loaded, since its signal
# handler stays installed.
lib_LTLIBRARIES += %D%/libmono-profiler-cof.la
%C%_libmono_profiler_cof_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D% -isystem $(MONO_INCLUDE)
%C%_libmono_profiler_cof_la_LDFLAGS  = $(AM_LDFLAGS) -module -avoid-version -shared \
	-export-symbols-regex '^mono_profiler_init_cof$$' -Wl,-z,now -Wl,-z,nodelete
%C%_libmono_profiler_cof_la_LIBADD   = libcof-all.la
%C%_libmono_profiler_cof_la_SOURCES  = \
	%D%/ending.c \
	%D%/module/locate.c %D%/module/locate.h \
	%D%/module/module.c \
	%D%/threads.c
endif
