# tests
#
# A program of one file of its name, linked with LDADD, needs only its line in
# check_PROGRAMS.

LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
EXTRA_DIST += \
	%D%/cof/history/after_runs.h \
	%D%/cof/optimizer/trial/audited.h \
	%D%/cof/codemem/backed.h \
	%D%/support/balance.h \
	%D%/support/bare.h \
	%D%/support/bare_test.h \
	%D%/cof/optimizer/by_hand.h \
	%D%/support/child.h \
	%D%/cof/optimizer/instrumented/counter.h \
	%D%/cof/history/decided.h \
	%D%/cof/threads/eh_code.h \
	%D%/cof/patcher/first_call.h \
	%D%/cof/optimizer/gated.h \
	%D%/support/guest.h \
	%D%/cof/history/history.h \
	%D%/cof/history/history_run.h \
	%D%/cof/history/counting_host.h \
	%D%/cof/history/known_hot.h \
	%D%/cof/history/history_store.h \
	%D%/cof/code/indexed.h \
	%D%/hosts/llvm/ir_text.h \
	%D%/hosts/llvm/join/joined.h \
	%D%/cof/reclaim/kick.h \
	%D%/support/libcof_threads.h \
	%D%/cof/api/own_code.h %D%/cof/native_code/copied.h \
	%D%/cof/patcher/patched.h \
	%D%/support/patience.h \
	%D%/cof/optimizer/phases/phased.h \
	%D%/cof/optimizer/policy/picker.h \
	%D%/cof/optimizer/policy/warm.h \
	%D%/support/piece.h \
	%D%/hosts/mono/compile/played_mono.h \
	%D%/cof/optimizer/instrumented/profiling.h \
	%D%/cof/process/raise.h \
	%D%/cof/reclaim/reclaim.h \
	%D%/support/said.h \
	%D%/cof/stats/stats_dir.h \
	%D%/cof/stats/stats_files.h \
	%D%/hosts/llvm/version_cache/version_cache.h \
	%D%/cof/api/split.h \
	%D%/support/started.h \
	%D%/tools/cof-stats/stats_file.h \
	%D%/cof/api/stepped_loop.h \
	%D%/support/held_cpu.h \
	%D%/support/ticking.h \
	%D%/support/timers.h \
	%D%/support/toy_run.h \
	%D%/cof/predictor/generation.h \
	%D%/cof/optimizer/whole_turn.h

# end to end: guests, real programs, and files that are no programs; the longest
# first
dist_check_SCRIPTS += \
	%D%/e2e/e2e_servers.sh \
	%D%/e2e/e2e_programs.sh \
	%D%/e2e/e2e_pgo.sh \
	%D%/e2e/e2e_guests.sh
if HOST_MONO
dist_check_SCRIPTS += \
	%D%/e2e/e2e_mono.sh \
	%D%/hosts/mono/stress_mono.sh \
	%D%/hosts/mono/test_mono_module.sh \
	%D%/hosts/mono/test_mono_profiler.sh \
	%D%/hosts/mono/test_mono_recompile.sh
endif
dist_check_SCRIPTS += \
	%D%/e2e/e2e_bitcode.sh \
	%D%/e2e/e2e_cached_versions.sh \
	%D%/e2e/e2e_plugins.sh \
	%D%/e2e/e2e_namespace.sh \
	%D%/e2e/e2e_native_code.sh \
	%D%/e2e/e2e_native_points.sh \
	%D%/e2e/e2e_preload.sh \
	%D%/e2e/e2e_process.sh \
	%D%/e2e/e2e_workers.sh \
	%D%/e2e/e2e_linker.sh \
	%D%/e2e/e2e_addresses.sh \
	%D%/e2e/e2e_cof_cc.sh \
	%D%/e2e/e2e_idle.sh \
	%D%/e2e/e2e_damage.sh \
	%D%/e2e/e2e_errors.sh \
	%D%/e2e/e2e_refusals.sh \
	%D%/e2e/e2e_replaced.sh \
	%D%/e2e/e2e_audit.sh

# optimizer, instance, toy host, and the whole pipeline on it
check_PROGRAMS += \
	%D%/cof/api/stress_toy \
	%D%/cof/optimizer/build/test_build_cpu_budget \
	%D%/cof/reclaim/test_bounded \
	%D%/cof/optimizer/build/test_build_budget \
	%D%/cof/optimizer/build/test_builds \
	%D%/cof/measure/test_cost_model \
	%D%/cof/api/test_flow_balance \
	%D%/cof/api/test_header_cxx \
	%D%/cof/optimizer/facts/test_backoff \
	%D%/cof/api/test_instance \
	%D%/cof/optimizer/facts/test_machine_load \
	%D%/cof/optimizer/test_optimizer \
	%D%/cof/optimizer/policy/test_picker \
	%D%/cof/optimizer/policy/test_picker_profiles \
	%D%/cof/api/test_pipeline \
	%D%/cof/optimizer/build/test_queue \
	%D%/cof/optimizer/policy/test_idle_release \
	%D%/cof/api/test_secure \
	%D%/cof/api/test_start \
	%D%/cof/api/test_stepped_loop \
	%D%/cof/api/test_stepped_phases

check_PROGRAMS += %D%/cof/api/test_no_memory
%C%_cof_threads_test_regions_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=cof_mem_alloc -Wl,--wrap=cof_mem_free
%C%_cof_api_test_no_memory_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=cof_mem_alloc,--wrap=cof_mem_realloc \
	-Wl,--wrap=cof_mem_strdup,--wrap=cof_mem_free \
	-Wl,--wrap=cof_mem_reserve

%C%_cof_api_test_header_cxx_SOURCES = %D%/cof/api/test_header_cxx.cpp
%C%_cof_api_test_header_cxx_CXXFLAGS = -std=c++11 $(SAN_FLAGS) -Wall -Wextra

# `make check` runs it for seconds.
STRESS_SECONDS = 60
.PHONY: check-stress
check-stress: %D%/cof/api/stress_toy
	%D%/cof/api/stress_toy $(STRESS_SECONDS)

# predictor and JIT-info index
EXTRA_DIST += \
	%D%/data/drift.txt \
	%D%/data/few.txt \
	%D%/data/garbage.txt \
	%D%/data/noise.txt \
	%D%/data/return.txt \
	%D%/data/wander.txt \
	%D%/data/within.txt \
	%D%/data/idle.txt \
	%D%/data/low.txt \
	%D%/data/recompile.txt \
	%D%/data/starve.txt \
	%D%/data/steady.txt \
	%D%/data/switch.txt

check_PROGRAMS += \
	%D%/cof/predictor/test_top_lists \
	%D%/cof/predictor/test_hitlist \
	%D%/cof/code/test_code_buckets \
	%D%/cof/code/test_jitinfo \
	%D%/cof/code/test_jitinfo_readers \
	%D%/cof/predictor/test_lasting \
	%D%/cof/predictor/test_predictor \
	%D%/cof/predictor/test_predictor_replay \
	%D%/cof/predictor/test_rank \
	%D%/cof/predictor/test_similarity \
	%D%/cof/predictor/test_generation \
	%D%/cof/predictor/test_weight \
	%D%/cof/code/test_word

%C%_cof_predictor_test_predictor_replay_SOURCES = \
	%D%/cof/predictor/test_predictor_replay.c \
	%D%/cof/predictor/script.c %D%/cof/predictor/script.h

# what users see of a live process
check_PROGRAMS += \
	%D%/tools/cof-stats/test_escape \
	%D%/cof/base/test_flow_table \
	%D%/cof/memory/test_rlimits \
	%D%/cof/memory/test_mem \
	%D%/cof/memory/test_mem_reserve \
	%D%/cof/options/test_opts \
	%D%/cof/stats/test_pidstat \
	%D%/cof/stats/test_stats_file \
	%D%/cof/stats/test_stats_files \
	%D%/cof/stats/test_stats_dir \
	%D%/tools/cof-stats/test_stats_damage \
	%D%/tools/cof-stats/test_stats_reader \
	%D%/tools/cof-stats/test_json_writer \
	%D%/cof/measure/test_sampling_noise \
	%D%/cof/measure/test_unproven_budget \
	%D%/cof/options/test_tuning
dist_check_SCRIPTS += %D%/tools/test_cof_stats.sh
EXTRA_DIST += %D%/dotnet %D%/tools/tool_lib.sh

# A process with a stats file, for the script.
EXTRA_PROGRAMS += %D%/tools/hold_stats
CLEANFILES += %D%/tools/hold_stats$(EXEEXT)
check_DATA = %D%/tools/hold_stats$(EXEEXT)

%C%_tools_cof_stats_test_escape_SOURCES = %D%/tools/cof-stats/test_escape.c \
	tools/cof-stats/escape.c tools/cof-stats/escape.h
%C%_tools_cof_stats_test_escape_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
%C%_tools_cof_stats_test_json_writer_SOURCES = \
	%D%/tools/cof-stats/test_json_writer.c \
	tools/cof-stats/json_writer.c tools/cof-stats/json_writer.h \
	tools/cof-stats/escape.c tools/cof-stats/escape.h
%C%_tools_cof_stats_test_json_writer_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
stats_reader_sources = \
	tools/cof-stats/json_writer.c tools/cof-stats/json_writer.h \
	tools/cof-stats/print_head.c tools/cof-stats/print_head.h \
	tools/cof-stats/print_summary.c tools/cof-stats/print_summary.h \
	tools/cof-stats/derived.c tools/cof-stats/derived.h \
	tools/cof-stats/escape.c tools/cof-stats/escape.h \
	tools/cof-stats/print_json.c tools/cof-stats/print_json.h \
	tools/cof-stats/print_text.c tools/cof-stats/print_text.h \
	tools/cof-stats/reader.c tools/cof-stats/reader.h \
	tools/cof-stats/units.c tools/cof-stats/units.h
%C%_tools_cof_stats_test_stats_damage_SOURCES = \
	%D%/tools/cof-stats/test_stats_damage.c \
	$(stats_reader_sources)
%C%_tools_cof_stats_test_stats_damage_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(srcdir)/tools
%C%_tools_cof_stats_test_stats_reader_SOURCES = \
	%D%/tools/cof-stats/test_stats_reader.c \
	$(stats_reader_sources)
%C%_tools_cof_stats_test_stats_reader_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(srcdir)/tools

# Sanitizers have threads and a malloc of their own.
if !SANITIZER
plain_tests     = %D%/hosts/llvm/own_threads/test_own_threads
check_PROGRAMS += $(plain_tests)
%C%_hosts_llvm_own_threads_test_own_threads_SOURCES = \
	%D%/hosts/llvm/own_threads/test_own_threads.c \
	hosts/llvm/own_threads/bare_thread_x86_64.c \
	hosts/llvm/own_threads/libc_locks.c \
	hosts/llvm/own_threads/linker_malloc.c \
	hosts/llvm/own_threads/own_threads.c \
	cof/base/sigreturn_x86_64.S
%C%_hosts_llvm_own_threads_test_own_threads_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(srcdir)/hosts/llvm
%C%_hosts_llvm_own_threads_test_own_threads_LDADD = $(CMOCKA_LIBS) -ldl
else
# check-local knows it, which is not built.
plain_tests     = %D%/hosts/llvm/own_threads/test_own_threads$(EXEEXT)
endif

# sampler, and what is process-wide
check_PROGRAMS += \
	%D%/cof/process/test_file_thread \
	%D%/cof/process/test_interrupted_call \
	%D%/cof/process/test_left \
	%D%/cof/sampler/test_budget \
	%D%/cof/sampler/test_credit \
	%D%/cof/threads/test_ehframe \
	%D%/cof/api/test_child_loop \
	%D%/cof/api/test_fork \
	%D%/cof/sampler/test_handler \
	%D%/cof/sampler/sources/test_ladder \
	%D%/cof/codemem/test_lent \
	%D%/cof/sampler/test_locate \
	%D%/cof/api/test_located \
	%D%/cof/sampler/sources/test_perf \
	%D%/cof/codemem/test_code_range \
	%D%/cof/codemem/test_code_range_limit \
	%D%/cof/threads/test_regions \
	%D%/cof/sampler/sources/test_replay \
	%D%/cof/base/test_handler_stack \
	%D%/cof/base/test_ring \
	%D%/cof/sampler/test_sampler \
	%D%/cof/sampler/test_overhead_window \
	%D%/cof/threads/test_pending \
	%D%/cof/sampler/test_sampler_start \
	%D%/cof/base/test_libc_signal \
	%D%/cof/process/test_signal \
	%D%/cof/threads/test_stack \
	%D%/cof/process/test_stage \
	%D%/cof/threads/test_threads \
	%D%/cof/sampler/sources/test_timer \
	%D%/cof/threads/test_unwind

wrapped_threads = $(AM_LDFLAGS) -Wl,--wrap=pthread_create
%C%_cof_process_test_stage_LDFLAGS         = $(wrapped_threads)
%C%_cof_sampler_test_sampler_start_LDFLAGS = $(wrapped_threads)

EXTRA_DIST += \
	%D%/e2e/e2e_lib.sh \
	%D%/e2e/address_rows \
	%D%/e2e/linker \
	%D%/e2e/mono \
	%D%/e2e/namespace \
	%D%/e2e/points \
	%D%/e2e/servers \
	%D%/guests \
	%D%/process \
	%D%/plugins \
	%D%/preload \
	scripts/builds.sh \
	scripts/packages.sh \
	scripts/programs.sh \
	scripts/recipes.sh \
	scripts/sources.sh \
	scripts/totals.sh \
	scripts/wide_builds.sh \
	demo.sh \
	test.sh

EXTRA_PROGRAMS += %D%/e2e/e2e_run %D%/e2e/damage %D%/support/inject
if HOST_LLVM
EXTRA_PROGRAMS += %D%/e2e/addresses
CLEANFILES += %D%/e2e/addresses$(EXEEXT)
check_DATA += %D%/e2e/addresses$(EXEEXT)
endif
%C%_e2e_addresses_SOURCES = %D%/e2e/addresses.c \
	hosts/llvm/support/addresses.c hosts/llvm/support/record.c \
	hosts/llvm/support/section.c
%C%_e2e_addresses_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_e2e_addresses_LDADD = libcof-all.la
CLEANFILES += %D%/e2e/e2e_run$(EXEEXT) %D%/e2e/damage$(EXEEXT) \
	%D%/support/inject$(EXEEXT)
check_DATA += %D%/e2e/e2e_run$(EXEEXT) %D%/e2e/damage$(EXEEXT) \
	%D%/support/inject$(EXEEXT)
%C%_e2e_e2e_run_LDADD =
%C%_e2e_damage_LDADD =
%C%_support_inject_LDADD =

# The guests with random builds, once for each seed: SEEDS="1 2 3".
SEEDS = 1 2 3 4 5 6 7 8
.PHONY: check-stress-guests
check-stress-guests: all $(check_DATA)
	@for seed in $(SEEDS); do \
	  echo "seed $$seed"; \
	  srcdir=$(srcdir) E2E_MODES=stress E2E_SEED=$$seed \
	    $(SHELL) $(srcdir)/%D%/e2e/e2e_guests.sh || exit 1; \
	done

# DAMAGED files of bitcode, damaged at random; `make check` has the first 48.
DAMAGED = 1000
.PHONY: check-damage
check-damage: all $(check_DATA)
	srcdir=$(srcdir) $(SHELL) $(srcdir)/%D%/e2e/e2e_damage.sh $(DAMAGED)

# The servers, with PostgreSQL, which takes minutes to build.
.PHONY: check-servers
check-servers: all $(check_DATA)
	COF_CC=$(abs_builddir)/cof-cc $(SHELL) \
	  $(srcdir)/scripts/builds.sh builds postgresql.cof
	srcdir=$(srcdir) $(SHELL) $(srcdir)/%D%/e2e/e2e_servers.sh

# The test programs again, in builds of their own with a sanitizer or valgrind.
# All that check-asan and check-tsan find is a failure. Locals are on the real
# stack, where reclaim looks for addresses.
SAN_CC  = clang-22
SAN_CXX = clang++-22
san_configure = $(abs_srcdir)/configure --enable-debug --without-llvm \
	--disable-static
san_check     = check-programs
ubsan         = halt_on_error=1:print_stacktrace=1

.PHONY: asan-build check-asan check-asan-mono check-tsan check-valgrind
.PHONY: check-programs
check-programs:
	$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(check_PROGRAMS)'

asan-build:
	$(MKDIR_P) asan
	test -f asan/Makefile || (cd asan && $(san_configure) CC=$(SAN_CC) \
	  CXX=$(SAN_CXX) --enable-sanitizer=address,undefined)

check-asan: asan-build
	cd asan && ASAN_OPTIONS=detect_stack_use_after_return=0 \
	  UBSAN_OPTIONS=$(ubsan) \
	  $(MAKE) $(san_check)

# .NET programs in a host with ASan and UBSan, but Mono without: it copies
# stacks with the red zones of frames, handles its own faults, and frees little
# at the end.
asan_found = log_path=$(abs_builddir)/asan/found
asan_mono = detect_stack_use_after_return=0:detect_leaks=0:handle_segv=0:$\
handle_sigfpe=0:handle_abort=0:replace_intrin=0:replace_str=0:$\
quarantine_size_mb=2:thread_local_quarantine_size_kb=64:$\
intercept_strlen=0:intercept_strchr=0:intercept_strndup=0:$(asan_found)
check-asan-mono: asan-build
	cd asan && $(MAKE) && $(MAKE) %D%/e2e/e2e_run && rm -f found.* && \
	  export ASAN_OPTIONS="$(asan_mono)" && \
	  export UBSAN_OPTIONS=$(ubsan):$(asan_found) && \
	  $(SHELL) $(abs_srcdir)/%D%/e2e/e2e_mono.sh && \
	  $(SHELL) $(abs_srcdir)/%D%/hosts/mono/stress_mono.sh; \
	  failed=$$?; ! cat found.* 2>/dev/null && exit $$failed

tsan = second_deadlock_stack=1:suppressions=$(abs_srcdir)/%D%/tsan.supp
EXTRA_DIST += %D%/tsan.supp
check-tsan:
	$(MKDIR_P) tsan
	test -f tsan/Makefile || (cd tsan && $(san_configure) CC=$(SAN_CC) \
	  CXX=$(SAN_CXX) --enable-sanitizer=thread)
	cd tsan && TSAN_OPTIONS=$(tsan) $(MAKE) $(san_check)

# libFuzzer targets, in a build that tells libFuzzer where the code has been.
fuzz_programs = \
	%D%/cof/history/fuzz_history \
	%D%/cof/options/fuzz_opts \
	%D%/cof/sampler/sources/fuzz_perfring \
	%D%/cof/sampler/sources/fuzz_replay \
	%D%/tools/cof-stats/fuzz_stats
EXTRA_PROGRAMS += $(fuzz_programs)
FUZZER = -fsanitize=fuzzer
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZER)
%C%_cof_history_fuzz_history_LDFLAGS = $(fuzz_ldflags)
%C%_cof_options_fuzz_opts_LDFLAGS = $(fuzz_ldflags)
%C%_cof_sampler_sources_fuzz_perfring_LDFLAGS = $(fuzz_ldflags)
%C%_cof_sampler_sources_fuzz_replay_LDFLAGS = $(fuzz_ldflags)
%C%_tools_cof_stats_fuzz_stats_LDFLAGS = $(fuzz_ldflags)
%C%_tools_cof_stats_fuzz_stats_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
%C%_tools_cof_stats_fuzz_stats_SOURCES = %D%/tools/cof-stats/fuzz_stats.c \
	$(stats_reader_sources)
EXTRA_DIST += %D%/support/fuzz.sh %D%/support/fuzz.h

.PHONY: fuzz check-fuzz
fuzz:
	$(MKDIR_P) fuzz
	test -f fuzz/Makefile || (cd fuzz && $(san_configure) --without-mono \
	  CC=$(SAN_CC) CXX=$(SAN_CXX) \
	  --enable-sanitizer=address,undefined,fuzzer-no-link)
	rm -f fuzz/fuzz.trs
	cd fuzz && UBSAN_OPTIONS=$(ubsan) $(MAKE) check-fuzz
check-fuzz: $(fuzz_programs) %D%/tools/hold_stats %D%/tools/write_history
	result=PASS; \
	$(SHELL) $(srcdir)/%D%/support/fuzz.sh >fuzz.log 2>&1 || result=FAIL; \
	echo ":test-result: $$result" >fuzz.trs; cat fuzz.log; \
	test $$result = PASS

# valgrind runs all but these programs. tests/support/valgrind.h skips a few
# tests of the others; tests/valgrind.supp lists reports that are no errors.
#
#	stress_toy		is a race; valgrind runs one thread at a time
#	test_bounded		waits 10,000 times for a scan of remote threads
#	test_reclaim_inside	each of its tests scans a remote thread
valgrind_not = %D%/cof/api/stress_toy$(EXEEXT) \
	%D%/cof/reclaim/test_bounded$(EXEEXT) \
	%D%/cof/reclaim/test_reclaim_inside$(EXEEXT)

# Code memory is one file at two addresses, so valgrind must compare executed
# code with its translation each time.
EXTRA_DIST += %D%/cof/codemem/far.h %D%/support/valgrind.h %D%/valgrind.supp
VALGRIND_FLAGS = -q --smc-check=all --fair-sched=try --leak-check=full \
	--suppressions=$(abs_srcdir)/%D%/valgrind.supp --error-exitcode=99
check-valgrind:
	$(MKDIR_P) valgrind
	test -f valgrind/Makefile || (cd valgrind && $(san_configure))
	cd valgrind && COF_TEST_VALGRIND=1 \
	  $(MAKE) check LOG_COMPILER=valgrind LOG_FLAGS='$(VALGRIND_FLAGS)' \
	    TESTS='$$(filter-out $(valgrind_not),$$(check_PROGRAMS))'

# The other ways to build it: each in a folder of its own, with the unit tests.
# Those without a host compile the files that this build has with its flags, so
# that ccache has their objects, if CC is a ccache. The last is the tarball:
# complete, built beside its sources, installed and removed again.
matrix = check-matrix-clang check-matrix-without-llvm check-matrix-without-mono
matrix_row = $(@:check-matrix-%=%)

.PHONY: check-matrix check-matrix-dist $(matrix)
check-matrix: $(matrix) check-matrix-dist
$(matrix):
	$(MKDIR_P) matrix/$(matrix_row)
	case $(matrix_row) in \
	clang) set -- CC=$(SAN_CC) CXX=$(SAN_CXX) CFLAGS=-O1 CXXFLAGS=-O1 ;; \
	*)     set -- --$(matrix_row) CC='$(CC)' CXX='$(CXX)' \
		 CFLAGS='$(CFLAGS)' CXXFLAGS='$(CXXFLAGS)' ;; \
	esac; \
	cd matrix/$(matrix_row) && { test -f Makefile || \
	  $(abs_srcdir)/configure --enable-debug --disable-static "$$@"; }
	cd matrix/$(matrix_row) && $(MAKE) all && $(MAKE) check-unit
check-matrix-dist:
	$(MAKE) distcheck \
	  TESTS='$(filter $(unit_tests),$(all_tests))' \
	  DISTCHECK_CONFIGURE_FLAGS='--enable-debug CFLAGS=-O0 CXXFLAGS=-O0'

clean-local:
	rm -rf asan tsan fuzz fuzz.d valgrind matrix %D%/data/cof

# The kinds of tests; each test is in one list, which check-local checks. `make
# check` runs all.
#
#	unit		one part, or the loop in steps (stepped_loop.h), without
#			waiting; less than a minute
#	integration	instances with threads, the kernel's timers and signals,
#			LLVM's library, the tools
#	e2e		programs under `runtime` and Mono
unit_tests = \
	%D%/cof/api/test_no_memory \
	%D%/tools/cof-stats/test_json_writer \
	%D%/cof/measure/test_sampling_noise \
	%D%/cof/measure/test_unproven_budget \
	%D%/cof/options/test_tuning \
	%D%/cof/optimizer/policy/test_reprofile \
	%D%/cof/optimizer/build/test_build_cpu_budget \
	%D%/cof/process/test_file_thread \
	%D%/cof/process/test_left \
	%D%/cof/optimizer/trial/test_audit \
	%D%/cof/optimizer/trial/test_audit_cost \
	%D%/cof/optimizer/trial/test_trial_entries \
	%D%/cof/optimizer/trial/test_elsewhere \
	%D%/cof/process/test_barrier \
	%D%/cof/history/test_believed \
	%D%/cof/history/test_time_saved \
	%D%/cof/sampler/test_budget \
	%D%/cof/optimizer/build/test_build_budget \
	%D%/hosts/llvm/support/test_cache_dir \
	%D%/hosts/llvm/native/test_code_owners \
	%D%/hosts/llvm/native/test_entry \
	%D%/hosts/llvm/native/test_text_page \
	%D%/hosts/llvm/native/test_methods_fork \
	%D%/hosts/llvm/native/test_points \
	%D%/hosts/llvm/link/test_osr_points \
	%D%/hosts/llvm/link/test_unwind_tables \
	%D%/hosts/llvm/native/test_vtables \
	%D%/hosts/llvm/native/test_written_code \
	%D%/hosts/llvm/support/test_memory_reserve \
	%D%/cof/measure/test_cost_model \
	%D%/cof/codemem/test_codemem \
	%D%/cof/patcher/test_method_unload \
	%D%/cof/patcher/test_direct_entry \
	%D%/cof/native_code/test_version_copy \
	%D%/cof/sampler/test_credit \
	%D%/cof/history/test_run_verdict \
	%D%/cof/history/test_short_runs \
	%D%/cof/threads/test_ehframe \
	%D%/tools/cof-stats/test_escape \
	%D%/cof/measure/test_evidence \
	%D%/cof/patcher/test_first_call \
	%D%/cof/base/test_flow_table \
	%D%/cof/optimizer/instrumented/test_just_compiled \
	%D%/cof/optimizer/osr/test_loop_turns \
	%D%/cof/optimizer/osr/test_loop_verdict \
	%D%/cof/optimizer/osr/test_osr_patience \
	%D%/cof/optimizer/instrumented/test_fullness \
	%D%/cof/measure/test_promise_calibration \
	%D%/hosts/llvm/ir/test_frame \
	%D%/hosts/llvm/profile/test_graph \
	%D%/cof/optimizer/build/test_unit_select \
	%D%/cof/base/test_hash \
	%D%/cof/base/test_make_dirs \
	%D%/cof/api/test_header_cxx \
	%D%/cof/predictor/test_top_lists \
	%D%/cof/history/test_history_damage \
	%D%/cof/history/store/test_db_path \
	%D%/cof/history/store/test_store \
	%D%/cof/predictor/test_hitlist \
	%D%/cof/codemem/test_free_extents \
	%D%/cof/history/test_hotset \
	%D%/cof/optimizer/facts/test_backoff \
	%D%/cof/code/test_code_buckets \
	%D%/cof/code/test_jitinfo \
	%D%/cof/code/test_jitinfo_readers \
	%D%/cof/sampler/sources/test_ladder \
	%D%/cof/sampler/test_sampler_start \
	%D%/cof/predictor/test_lasting \
	%D%/cof/memory/test_rlimits \
	%D%/cof/optimizer/facts/test_machine_load \
	%D%/cof/sampler/test_locate \
	%D%/hosts/llvm/support/test_map \
	%D%/cof/memory/test_mem \
	%D%/cof/memory/test_mem_reserve \
	%D%/hosts/mono/compile/test_mono_plans \
	%D%/hosts/llvm/support/test_addresses \
	%D%/hosts/llvm/support/test_native_points \
	%D%/hosts/llvm/link/test_object \
	%D%/hosts/llvm/support/test_record \
	%D%/cof/options/test_opts \
	%D%/cof/patcher/test_patcher \
	%D%/cof/sampler/sources/test_perf \
	%D%/cof/predictor/test_phase \
	%D%/cof/optimizer/phases/test_phase_trials \
	%D%/cof/predictor/test_phase_new_versions \
	%D%/cof/optimizer/phases/test_phase_reuse \
	%D%/cof/optimizer/policy/test_picker \
	%D%/cof/optimizer/policy/test_picker_profiles \
	%D%/cof/stats/test_pidstat \
	%D%/cof/predictor/test_predictor \
	%D%/cof/predictor/test_predictor_replay \
	%D%/hosts/llvm/profile/test_method_profile \
	%D%/cof/optimizer/instrumented/test_profile_units \
	%D%/cof/optimizer/instrumented/test_profiling \
	%D%/cof/optimizer/trial/test_told \
	%D%/cof/optimizer/trial/test_trial_budget \
	%D%/cof/optimizer/trial/test_trial_speed \
	%D%/cof/optimizer/build/test_queue \
	%D%/cof/codemem/test_code_range \
	%D%/cof/codemem/test_code_range_limit \
	%D%/cof/predictor/test_rank \
	%D%/cof/reclaim/test_reclaim \
	%D%/cof/threads/test_regions \
	%D%/cof/sampler/sources/test_replay \
	%D%/cof/optimizer/policy/test_idle_release \
	%D%/cof/optimizer/phases/test_reuse \
	%D%/cof/measure/test_evidence_checkpoint \
	%D%/cof/base/test_handler_stack \
	%D%/cof/base/test_ring \
	%D%/cof/reclaim/test_scan_words \
	%D%/cof/stats/test_stats_file \
	%D%/cof/stats/test_stats_files \
	%D%/cof/stats/test_stats_dir \
	%D%/hosts/llvm/version_cache/test_finish_mark \
	%D%/hosts/llvm/version_cache/test_version_cache \
	%D%/hosts/llvm/version_cache/test_version_cache_write \
	%D%/cof/predictor/test_similarity \
	%D%/cof/patcher/test_site \
	%D%/cof/reclaim/test_remote_thread \
	%D%/cof/patcher/test_slot \
	%D%/cof/threads/test_stack \
	%D%/cof/process/test_stage \
	%D%/tools/cof-stats/test_stats_damage \
	%D%/tools/cof-stats/test_stats_reader \
	%D%/bench/test_stepped \
	%D%/cof/api/test_stepped_loop \
	%D%/cof/api/test_stepped_phases \
	%D%/cof/patcher/test_left_alone \
	%D%/cof/patcher/test_stub \
	%D%/cof/patcher/test_stub_stack \
	%D%/cof/optimizer/osr/test_counting_frames \
	%D%/cof/optimizer/osr/test_loop_trial \
	%D%/cof/optimizer/osr/test_stuck_frames \
	%D%/cof/patcher/test_switch \
	%D%/cof/measure/test_expected_gain \
	%D%/cof/predictor/test_generation \
	%D%/cof/threads/test_unwind \
	%D%/cof/predictor/test_weight \
	%D%/cof/code/test_word
integration_tests = \
	%D%/house/test_house.sh \
	%D%/cof/api/stress_toy \
	%D%/bench/test_bench.sh \
	%D%/runtime/test_bitcode_triple \
	%D%/hosts/llvm/ir/test_body \
	%D%/cof/reclaim/test_bounded \
	%D%/cof/optimizer/build/test_builds \
	%D%/hosts/llvm/ir/test_clone_labels \
	%D%/hosts/llvm/ir/test_copy \
	%D%/tools/test_cof_stats.sh \
	%D%/cof/history/store/test_io_thread \
	%D%/cof/api/test_flow_balance \
	%D%/cof/api/test_child_loop \
	%D%/cof/api/test_fork \
	%D%/cof/sampler/test_handler \
	%D%/cof/history/test_history_auto \
	%D%/cof/history/test_add_hot \
	%D%/cof/optimizer/test_finish \
	%D%/cof/history/test_known_hot \
	%D%/cof/history/test_history_run \
	%D%/cof/history/test_store_writers \
	%D%/cof/api/test_instance \
	%D%/cof/optimizer/osr/test_cached_continuations \
	%D%/cof/optimizer/policy/test_cached_counting \
	%D%/cof/optimizer/policy/test_cached_versions \
	%D%/cof/optimizer/policy/test_counts_of_others \
	%D%/cof/codemem/test_lent \
	%D%/cof/api/test_located \
	%D%/hosts/llvm/own_threads/test_own_threads \
	%D%/hosts/llvm/join/test_handler_variables \
	%D%/hosts/llvm/join/test_initial_values \
	%D%/hosts/llvm/join/test_join \
	%D%/hosts/llvm/join/test_piece_move \
	%D%/hosts/llvm/join/test_stack_switches \
	%D%/hosts/llvm/ir/test_llvm_shim \
	%D%/hosts/llvm/ir/test_blockaddress \
	%D%/hosts/llvm/ir/test_loops \
	%D%/cof/optimizer/test_optimizer \
	%D%/cof/optimizer/instrumented/test_pgo \
	%D%/cof/api/test_pipeline \
	%D%/cof/optimizer/trial/test_planted \
	%D%/cof/optimizer/instrumented/test_profiling_any \
	%D%/cof/optimizer/instrumented/test_profiling_threads \
	%D%/cof/reclaim/test_reclaim_inside \
	%D%/cof/sampler/test_sampler \
	%D%/cof/sampler/test_overhead_window \
	%D%/cof/threads/test_pending \
	%D%/cof/reclaim/test_scan \
	%D%/cof/reclaim/test_scan_stacks \
	%D%/cof/reclaim/test_unseen_thread \
	%D%/cof/base/test_libc_signal \
	%D%/cof/process/test_signal \
	%D%/cof/process/test_interrupted_call \
	%D%/hosts/llvm/support/test_recover \
	%D%/hosts/llvm/ir/test_sink \
	%D%/hosts/llvm/ir/test_vtable_compare \
	%D%/hosts/llvm/compile/test_annotate \
	%D%/hosts/llvm/compile/test_unit_compile \
	%D%/hosts/llvm/module/test_copy_pool \
	%D%/cof/api/test_secure \
	%D%/cof/api/test_start \
	%D%/cof/threads/test_threads \
	%D%/cof/sampler/sources/test_timer \
	%D%/tools/test_why.sh
e2e_tests = \
	%D%/docs/check_docs.sh \
	%D%/e2e/e2e_addresses.sh \
	%D%/e2e/e2e_bitcode.sh \
	%D%/e2e/e2e_cof_cc.sh \
	%D%/e2e/e2e_damage.sh \
	%D%/e2e/e2e_errors.sh \
	%D%/e2e/e2e_guests.sh \
	%D%/e2e/e2e_idle.sh \
	%D%/e2e/e2e_linker.sh \
	%D%/e2e/e2e_cached_versions.sh \
	%D%/e2e/e2e_mono.sh \
	%D%/e2e/e2e_pgo.sh \
	%D%/e2e/e2e_plugins.sh \
	%D%/e2e/e2e_namespace.sh \
	%D%/e2e/e2e_native_code.sh \
	%D%/e2e/e2e_native_points.sh \
	%D%/e2e/e2e_preload.sh \
	%D%/e2e/e2e_process.sh \
	%D%/e2e/e2e_programs.sh \
	%D%/e2e/e2e_refusals.sh \
	%D%/e2e/e2e_replaced.sh \
	%D%/e2e/e2e_audit.sh \
	%D%/e2e/e2e_workers.sh \
	%D%/e2e/e2e_servers.sh \
	%D%/hosts/mono/stress_mono.sh \
	%D%/hosts/mono/test_mono_module.sh \
	%D%/hosts/mono/test_mono_profiler.sh \
	%D%/hosts/mono/test_mono_recompile.sh

all_tests = $(check_PROGRAMS) $(dist_check_SCRIPTS)
kind_tests = $$(filter $$($(@:check-%=%)_tests),$$(all_tests))
.PHONY: check-unit check-integration check-e2e
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) \
	  $(filter $(unit_tests),$(check_PROGRAMS))
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(kind_tests)'
check-integration check-e2e: all
	$(MAKE) $(AM_MAKEFLAGS) $(check_DATA) \
	  $(filter $($(@:check-%=%)_tests),$(check_PROGRAMS))
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(kind_tests)'

# A test file that is in no list would never run.
check-local:
	@find $(srcdir)/%D% -name 'test_*.c' -o -name 'test_*.cpp' | \
	while read -r f; do \
	  n=`echo "$$f" | sed 's|.*/%D%/|%D%/|; s|\.[a-z]*$$||'`; \
	  case " $(check_PROGRAMS) $(llvm_tests) $(mono_tests) \
	  $(sqlite_tests) $(plain_tests) " in \
	  *" $$n$(EXEEXT) "*) ;; \
	  *) echo "$$f is in no check_PROGRAMS" >&2; exit 1 ;; \
	  esac; \
	done
	@kinds='unit_tests, integration_tests, e2e_tests'; \
	listed=`printf ' %s ' $(unit_tests) $(integration_tests) \
	  $(e2e_tests)`; \
	for t in $(all_tests); do \
	  t=$${t%$(EXEEXT)}; \
	  case $$listed in \
	  *" $$t "*" $$t "*) how="more than one" ;; \
	  *" $$t "*) continue ;; \
	  *) how=none ;; \
	  esac; \
	  echo "$$t: in $$how of $$kinds" >&2; \
	  exit 1; \
	done

# patcher
check_PROGRAMS += \
	%D%/cof/process/test_barrier \
	%D%/cof/codemem/test_codemem \
	%D%/cof/patcher/test_method_unload \
	%D%/cof/patcher/test_direct_entry \
	%D%/cof/native_code/test_version_copy \
	%D%/cof/patcher/test_first_call \
	%D%/cof/codemem/test_free_extents \
	%D%/cof/patcher/test_patcher \
	%D%/cof/reclaim/test_reclaim \
	%D%/cof/reclaim/test_reclaim_inside \
	%D%/cof/reclaim/test_scan \
	%D%/cof/reclaim/test_scan_stacks \
	%D%/cof/reclaim/test_scan_words \
	%D%/cof/patcher/test_site \
	%D%/cof/reclaim/test_remote_thread \
	%D%/cof/reclaim/test_unseen_thread \
	%D%/cof/patcher/test_slot \
	%D%/cof/optimizer/osr/test_counting_frames \
	%D%/cof/optimizer/osr/test_loop_trial \
	%D%/cof/optimizer/osr/test_stuck_frames \
	%D%/cof/patcher/test_left_alone \
	%D%/cof/patcher/test_stub \
	%D%/cof/patcher/test_stub_stack

# LLVM host
llvm_tests = \
	%D%/runtime/test_bitcode_triple \
	%D%/hosts/llvm/ir/test_body \
	%D%/hosts/llvm/support/test_cache_dir \
	%D%/hosts/llvm/ir/test_clone_labels \
	%D%/hosts/llvm/ir/test_copy \
	%D%/hosts/llvm/native/test_code_owners \
	%D%/hosts/llvm/native/test_entry \
	%D%/hosts/llvm/native/test_text_page \
	%D%/hosts/llvm/native/test_methods_fork \
	%D%/hosts/llvm/native/test_points \
	%D%/hosts/llvm/link/test_osr_points \
	%D%/hosts/llvm/link/test_unwind_tables \
	%D%/hosts/llvm/native/test_vtables \
	%D%/hosts/llvm/native/test_written_code \
	%D%/hosts/llvm/support/test_memory_reserve \
	%D%/hosts/llvm/ir/test_frame \
	%D%/hosts/llvm/profile/test_graph \
	%D%/hosts/llvm/join/test_handler_variables \
	%D%/hosts/llvm/join/test_initial_values \
	%D%/hosts/llvm/join/test_join \
	%D%/hosts/llvm/join/test_piece_move \
	%D%/hosts/llvm/join/test_stack_switches \
	%D%/hosts/llvm/ir/test_llvm_shim \
	%D%/hosts/llvm/ir/test_blockaddress \
	%D%/hosts/llvm/ir/test_loops \
	%D%/hosts/llvm/support/test_map \
	%D%/hosts/llvm/support/test_addresses \
	%D%/hosts/llvm/support/test_native_points \
	%D%/hosts/llvm/link/test_object \
	%D%/hosts/llvm/support/test_record \
	%D%/hosts/llvm/profile/test_method_profile \
	%D%/hosts/llvm/version_cache/test_finish_mark \
	%D%/hosts/llvm/version_cache/test_version_cache \
	%D%/hosts/llvm/version_cache/test_version_cache_write \
	%D%/hosts/llvm/support/test_recover \
	%D%/hosts/llvm/ir/test_sink \
	%D%/hosts/llvm/ir/test_vtable_compare \
	%D%/hosts/llvm/compile/test_annotate \
	%D%/hosts/llvm/compile/test_unit_compile \
	%D%/hosts/llvm/module/test_copy_pool
llvm_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
llvm_ldadd    = libcofl.la libcofl-native.la libcofl-common.la libcof-all.la \
	$(LLVM_SHARED_LIBS) $(CMOCKA_LIBS)
if HOST_LLVM
check_PROGRAMS += $(llvm_tests)
endif

# Mono host, with stand-ins for Mono and libcof in the test
mono_tests = \
	%D%/hosts/mono/compile/test_mono_plans
if HOST_MONO
check_PROGRAMS += $(mono_tests)
endif

%C%_hosts_mono_compile_test_mono_plans_SOURCES = \
	%D%/hosts/mono/compile/test_mono_plans.c \
	cof/base/clock.c \
	hosts/mono/compile/entries.c hosts/mono/compile/estimate.c \
	hosts/mono/compile/inlining.c \
	hosts/mono/compile/call_profile.c hosts/mono/vm/tuning.c \
	cof/options/tuning_parse.c
%C%_hosts_mono_compile_test_mono_plans_CPPFLAGS = -I$(srcdir)/hosts/mono \
	$(AM_CPPFLAGS) \
	-isystem $(MONO_INCLUDE)
%C%_hosts_mono_compile_test_mono_plans_LDADD = $(CMOCKA_LIBS)

%C%_hosts_llvm_support_test_native_points_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_support_test_native_points_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_support_test_addresses_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_support_test_addresses_LDADD = $(llvm_ldadd)
%C%_runtime_test_bitcode_triple_SOURCES = %D%/runtime/test_bitcode_triple.c \
	runtime/bitcode_triple.c runtime/bitcode_triple.h
%C%_runtime_test_bitcode_triple_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
%C%_runtime_test_bitcode_triple_LDADD = $(LLVM_SHARED_LIBS) $(CMOCKA_LIBS)
%C%_hosts_llvm_ir_test_body_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_body_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_support_test_cache_dir_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_support_test_cache_dir_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_points_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_points_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_code_owners_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_code_owners_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_methods_fork_SOURCES = \
	%D%/hosts/llvm/native/test_methods_fork.c \
	hosts/llvm/native/methods.c hosts/llvm/native/methods.h
%C%_hosts_llvm_native_test_methods_fork_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_methods_fork_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_vtables_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_vtables_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_written_code_SOURCES = \
	%D%/hosts/llvm/native/test_written_code.c \
	hosts/llvm/native/methods.c hosts/llvm/native/methods.h
%C%_hosts_llvm_native_test_written_code_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_written_code_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_entry_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_entry_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_native_test_text_page_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_native_test_text_page_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_link_test_osr_points_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_link_test_osr_points_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_link_test_unwind_tables_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_link_test_unwind_tables_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_link_test_unwind_tables_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock
%C%_hosts_llvm_support_test_memory_reserve_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_support_test_memory_reserve_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_support_test_map_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_support_test_map_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_support_test_record_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_support_test_record_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_link_test_object_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_link_test_object_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_version_cache_test_finish_mark_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_version_cache_test_finish_mark_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_version_cache_test_version_cache_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_version_cache_test_version_cache_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_version_cache_test_version_cache_write_CPPFLAGS = \
	$(llvm_cppflags)
%C%_hosts_llvm_version_cache_test_version_cache_write_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_profile_test_graph_CPPFLAGS = $(llvm_cppflags)
%C%_hosts_llvm_profile_test_graph_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_join_test_handler_variables_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_join_test_handler_variables_LDADD = libcofl-join.la \
	libcof-all.la \
	$(LLVM_SHARED_LIBS) -lstdc++ $(CMOCKA_LIBS)
%C%_hosts_llvm_join_test_piece_move_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_join_test_piece_move_LDADD = libcofl-join.la libcof-all.la \
	$(LLVM_SHARED_LIBS) -lstdc++ $(CMOCKA_LIBS)
%C%_hosts_llvm_join_test_stack_switches_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_join_test_stack_switches_LDADD = libcofl-join.la libcof-all.la \
	$(LLVM_SHARED_LIBS) -lstdc++ $(CMOCKA_LIBS)
%C%_hosts_llvm_join_test_initial_values_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_join_test_initial_values_LDADD = libcofl-join.la libcof-all.la \
	$(LLVM_SHARED_LIBS) -lstdc++ $(CMOCKA_LIBS)
%C%_hosts_llvm_join_test_join_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_join_test_join_LDADD = libcofl-join.la libcof-all.la \
	$(LLVM_SHARED_LIBS) -lstdc++ $(CMOCKA_LIBS)
%C%_hosts_llvm_ir_test_llvm_shim_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_llvm_shim_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_blockaddress_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_blockaddress_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_loops_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_loops_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_support_test_recover_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_support_test_recover_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_clone_labels_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_clone_labels_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_copy_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_copy_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_frame_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_frame_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_sink_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_sink_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_ir_test_vtable_compare_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_ir_test_vtable_compare_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_compile_test_annotate_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_compile_test_annotate_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_compile_test_unit_compile_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_compile_test_unit_compile_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_module_test_copy_pool_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_module_test_copy_pool_LDADD = $(llvm_ldadd)
%C%_hosts_llvm_profile_test_method_profile_CPPFLAGS = $(llvm_cppflags) \
	$(LLVM_CPPFLAGS)
%C%_hosts_llvm_profile_test_method_profile_LDADD = $(llvm_ldadd)

# profiles: libcof-native.so as e2e_pgo.sh has it
if HOST_LLVM
check_LTLIBRARIES += %D%/hosts/llvm/pgo/libcof-native.la
%C%_hosts_llvm_pgo_libcof_native_la_CPPFLAGS = $(cofl_cppflags)
%C%_hosts_llvm_pgo_libcof_native_la_LDFLAGS = \
	$(libcof_native_la_LDFLAGS) -rpath /nowhere
%C%_hosts_llvm_pgo_libcof_native_la_LIBADD = $(libcof_native_la_LIBADD)
%C%_hosts_llvm_pgo_libcof_native_la_SOURCES = \
	%D%/hosts/llvm/pgo/stressed.c \
	hosts/llvm/native/methods.c hosts/llvm/native/methods.h
endif

# audit
check_PROGRAMS += \
	%D%/cof/optimizer/policy/test_reprofile \
	%D%/cof/optimizer/trial/test_audit \
	%D%/cof/optimizer/trial/test_audit_cost \
	%D%/cof/optimizer/trial/test_trial_entries \
	%D%/cof/optimizer/trial/test_elsewhere \
	%D%/cof/measure/test_evidence \
	%D%/cof/measure/test_promise_calibration \
	%D%/cof/measure/test_expected_gain \
	%D%/cof/optimizer/trial/test_planted \
	%D%/cof/optimizer/trial/test_told \
	%D%/cof/optimizer/trial/test_trial_budget \
	%D%/cof/optimizer/trial/test_trial_speed \
	%D%/cof/measure/test_evidence_checkpoint \
	%D%/cof/patcher/test_switch

# history
check_PROGRAMS += %D%/cof/history/test_believed \
	%D%/cof/history/test_time_saved \
	%D%/cof/history/test_run_verdict \
	%D%/cof/history/test_short_runs %D%/cof/base/test_hash \
	%D%/cof/base/test_make_dirs \
	%D%/cof/history/test_hotset

sqlite_tests = \
	%D%/cof/history/store/test_io_thread \
	%D%/cof/history/test_history_auto \
	%D%/cof/history/test_add_hot \
	%D%/cof/optimizer/test_finish \
	%D%/cof/history/test_known_hot \
	%D%/cof/history/test_history_damage \
	%D%/cof/history/store/test_db_path \
	%D%/cof/history/test_history_run \
	%D%/cof/history/store/test_store \
	%D%/cof/history/test_store_writers \
	%D%/cof/optimizer/osr/test_cached_continuations \
	%D%/cof/optimizer/policy/test_cached_counting \
	%D%/cof/optimizer/policy/test_counts_of_others \
	%D%/cof/optimizer/policy/test_cached_versions
sqlite_cppflags = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
sqlite_ldadd    = $(LDADD) $(SQLITE_LIBS)
if HAVE_SQLITE
check_PROGRAMS += $(sqlite_tests)
endif

%C%_cof_history_store_test_io_thread_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_store_test_io_thread_LDADD = $(sqlite_ldadd)
%C%_cof_history_test_history_auto_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_test_history_auto_LDADD = $(sqlite_ldadd)
%C%_cof_history_test_add_hot_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_test_add_hot_LDADD = $(sqlite_ldadd)
%C%_cof_optimizer_test_finish_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_optimizer_test_finish_LDADD = $(sqlite_ldadd)
%C%_cof_history_test_known_hot_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_test_known_hot_LDADD = $(sqlite_ldadd)
%C%_cof_history_test_history_damage_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_test_history_damage_LDADD = $(sqlite_ldadd)
%C%_cof_history_store_test_db_path_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_store_test_db_path_LDADD = $(sqlite_ldadd)
%C%_cof_history_test_history_run_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_test_history_run_LDADD = $(sqlite_ldadd)
%C%_cof_history_store_test_store_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_store_test_store_LDADD = $(sqlite_ldadd)
%C%_cof_history_test_store_writers_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_history_test_store_writers_LDADD = $(sqlite_ldadd)
%C%_cof_optimizer_osr_test_cached_continuations_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_optimizer_osr_test_cached_continuations_LDADD = $(sqlite_ldadd)
%C%_cof_optimizer_policy_test_cached_counting_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_optimizer_policy_test_cached_counting_LDADD = $(sqlite_ldadd)
%C%_cof_optimizer_policy_test_counts_of_others_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_optimizer_policy_test_counts_of_others_LDADD = $(sqlite_ldadd)
%C%_cof_optimizer_policy_test_cached_versions_CPPFLAGS = $(sqlite_cppflags)
%C%_cof_optimizer_policy_test_cached_versions_LDADD = $(sqlite_ldadd)

# profiles
check_PROGRAMS += \
	%D%/cof/optimizer/instrumented/test_just_compiled \
	%D%/cof/optimizer/osr/test_loop_turns \
	%D%/cof/optimizer/osr/test_loop_verdict \
	%D%/cof/optimizer/osr/test_osr_patience \
	%D%/cof/optimizer/instrumented/test_fullness \
	%D%/cof/optimizer/build/test_unit_select \
	%D%/cof/optimizer/instrumented/test_pgo \
	%D%/cof/optimizer/instrumented/test_profile_units \
	%D%/cof/optimizer/instrumented/test_profiling \
	%D%/cof/optimizer/instrumented/test_profiling_threads \
	%D%/cof/optimizer/instrumented/test_profiling_any

%C%_cof_optimizer_instrumented_test_profiling_threads_SOURCES = \
	%D%/cof/optimizer/instrumented/test_profiling.c
%C%_cof_optimizer_instrumented_test_profiling_threads_CPPFLAGS = \
	$(AM_CPPFLAGS) -DTOY_RUN_THREADS

# the order of the folders, names, file names in comments, and the contract
dist_check_SCRIPTS += %D%/house/test_house.sh
EXTRA_DIST += scripts/check_contract.py scripts/check_house.py \
	scripts/check_layers.py scripts/check_mentions.py \
	scripts/check_words.py

# the benchmarks' scripts, and their program in steps
check_PROGRAMS += %D%/bench/test_stepped
%C%_bench_test_stepped_LDADD = libdrawn.la $(CMOCKA_LIBS)
dist_check_SCRIPTS += %D%/bench/test_bench.sh
EXTRA_DIST += \
	%D%/bench/bars_test.py \
	%D%/bench/bench_test.py \
	%D%/bench/compare_test.py \
	%D%/bench/figures_test.py \
	%D%/bench/made_up.py \
	%D%/bench/phases_test.py \
	%D%/bench/process_test.py \
	%D%/bench/sensitivity_test.py \
	%D%/bench/wide_test.py \
	%D%/bench/workloads_test.py

# cof-stats --why
dist_check_SCRIPTS += %D%/tools/test_why.sh
EXTRA_PROGRAMS += %D%/tools/write_history
CLEANFILES += %D%/tools/write_history$(EXEEXT)
check_DATA += %D%/tools/write_history$(EXEEXT)

# phases, and versions reused when a phase returns
EXTRA_DIST += %D%/cof/predictor/drawn.h
check_PROGRAMS += \
	%D%/cof/predictor/test_phase \
	%D%/cof/predictor/test_phase_new_versions \
	%D%/cof/optimizer/phases/test_phase_trials \
	%D%/cof/optimizer/phases/test_phase_reuse \
	%D%/cof/optimizer/phases/test_reuse
