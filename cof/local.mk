# The core: the public header, the tables, and what every stage uses.
#
# Tests link libcof-all.la, which hides nothing; users get libcof.la, which
# exports only what cof.h marks COF_API. Both are the same objects.

include_HEADERS = %D%/cof.h

noinst_LTLIBRARIES += libcof-all.la
libcof_all_la_CPPFLAGS = $(AM_CPPFLAGS) $(URCU_CFLAGS) $(UNWIND_CFLAGS) $(SQLITE_CFLAGS)
libcof_all_la_LIBADD   = $(URCU_LIBS) -lpthread -lrt -ldl -lm
libcof_all_la_SOURCES  = \
	%D%/apart.c %D%/apart.h \
	%D%/api/stepped.h \
	%D%/base/clock.c %D%/clock.h \
	%D%/base/align.h \
	%D%/base/random.h \
	%D%/base/units.h \
	%D%/cof.c %D%/instance.h \
	%D%/code/backoff_record.h \
	%D%/code/build_record.h \
	%D%/code/method.h \
	%D%/code/osr_record.h \
	%D%/code/phase_record.h \
	%D%/code/references.h \
	%D%/code/retired_record.h \
	%D%/code/thunk_record.h \
	%D%/code/trial_record.h \
	%D%/exiting.c %D%/exiting.h \
	%D%/flow.c %D%/flow.h %D%/flow.def \
	%D%/base/log.c %D%/base/log.h \
	%D%/code/version_list.h \
	%D%/fork.c %D%/api/fork_hooks.h \
	%D%/process/barrier.c %D%/process/barrier.h \
	%D%/process/forked.c %D%/process/forked.h \
	%D%/threads/cpu_timer.c %D%/threads/cpu_timer.h \
	%D%/threads/poke.c %D%/threads/poke.h \
	%D%/hash.h \
	%D%/jitinfo.c %D%/jitinfo.h \
	%D%/jitpage.c %D%/jitpage.h \
	%D%/limit.c %D%/limit.h \
	%D%/loop.c %D%/loop.h \
	%D%/heap.c %D%/heap.h \
	%D%/heapgate.c %D%/heapgate.h \
	%D%/mem.c %D%/mem.h \
	%D%/measure/reprofile_budget.c %D%/measure/reprofile_budget.h \
	%D%/measure/sampling_noise.c %D%/measure/sampling_noise.h \
	%D%/method.c %D%/method.h \
	%D%/options/tuning.c %D%/options/tuning.h %D%/options/tuning.def \
	%D%/options/tuning_entries.h %D%/options/tuning_fields.h \
	%D%/options/tuning_values.h \
	%D%/options/tuning_parse.c %D%/options/tuning_parse.h \
	%D%/opts.c %D%/opts.h %D%/opts.def \
	%D%/opttable.c %D%/opttable.h \
	%D%/pidstat.c %D%/pidstat.h \
	%D%/process.c %D%/process.h \
	%D%/range.c \
	%D%/rawcall.h \
	%D%/ring.h \
	%D%/role.c %D%/role.h \
	%D%/share.c %D%/share.h \
	%D%/sharedir.c %D%/sharedir.h \
	%D%/stage.c %D%/stage.h \
	%D%/tsan.h \
	%D%/version.h %D%/word.h

lib_LTLIBRARIES += libcof.la
libcof_la_SOURCES =
libcof_la_LIBADD  = libcof-all.la
# Bound at once: the dynamic linker has no business in the signal handler.
libcof_la_LDFLAGS = $(AM_LDFLAGS) -Wl,-z,now -version-info $(COF_LT_VERSION) -no-undefined \
	-Wl,--version-script=$(srcdir)/%D%/cof.map
EXTRA_libcof_la_DEPENDENCIES = %D%/cof.map
EXTRA_DIST += %D%/cof.map
