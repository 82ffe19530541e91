# tests
#
# A program of one file, named as it, and of what stands in LDADD needs no more
# than its line in check_PROGRAMS.

LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
EXTRA_DIST += \
	%D%/audited.h \
	%D%/backed.h \
	%D%/balance.h \
	%D%/bare.h \
	%D%/bare_test.h \
	%D%/by_hand.h \
	%D%/child.h \
	%D%/counter.h \
	%D%/decided.h \
	%D%/eh_code.h \
	%D%/first_call.h \
	%D%/gated.h \
	%D%/guest.h \
	%D%/history.h \
	%D%/history_run.h \
	%D%/history_store.h \
	%D%/indexed.h \
	%D%/ir_text.h \
	%D%/kick.h \
	%D%/ours.h \
	%D%/own_code.h \
	%D%/patched.h \
	%D%/patience.h \
	%D%/phased.h \
	%D%/picker.h \
	%D%/piece.h \
	%D%/played_mono.h \
	%D%/profiling.h \
	%D%/raise.h \
	%D%/reclaim.h \
	%D%/said.h \
	%D%/share_dir.h \
	%D%/share_files.h \
	%D%/shelf.h \
	%D%/split.h \
	%D%/started.h \
	%D%/stats_file.h \
	%D%/stepped_loop.h \
	%D%/ticking.h \
	%D%/toy_run.h \
	%D%/turn.h \
	%D%/whole_turn.h

# optimizer, instance, toy host, and the whole pipeline on it
check_PROGRAMS += \
	%D%/stress_toy \
	%D%/test_allowance \
	%D%/test_bounded \
	%D%/test_build_budget \
	%D%/test_builds \
	%D%/test_choose \
	%D%/test_flow \
	%D%/test_header_cxx \
	%D%/test_ignore \
	%D%/test_instance \
	%D%/test_load \
	%D%/test_optimizer \
	%D%/test_picker \
	%D%/test_picker_profiles \
	%D%/test_pipeline \
	%D%/test_queue \
	%D%/test_rest \
	%D%/test_start \
	%D%/test_stepped_loop \
	%D%/test_stepped_phases

%C%_test_header_cxx_SOURCES = %D%/test_header_cxx.cpp
%C%_test_header_cxx_CXXFLAGS = -std=c++11 $(SAN_FLAGS) -Wall -Wextra

# `make check` runs it for seconds; this is for when something changed.
STRESS_SECONDS = 60
.PHONY: check-stress
check-stress: %D%/stress_toy
	%D%/stress_toy $(STRESS_SECONDS)

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
	%D%/test_history \
	%D%/test_hitlist \
	%D%/test_jitinfo \
	%D%/test_jitinfo_readers \
	%D%/test_lasting \
	%D%/test_predictor \
	%D%/test_predictor_replay \
	%D%/test_rank \
	%D%/test_similarity \
	%D%/test_turn \
	%D%/test_weight \
	%D%/test_word

%C%_test_predictor_replay_SOURCES = %D%/test_predictor_replay.c \
	%D%/script.c %D%/script.h

# what users see of a live process
check_PROGRAMS += \
	%D%/test_escape \
	%D%/test_flow_table \
	%D%/test_limit \
	%D%/test_mem \
	%D%/test_opts \
	%D%/test_pidstat \
	%D%/test_share \
	%D%/test_share_files \
	%D%/test_sharedir \
	%D%/test_stats_damage \
	%D%/test_stats_reader \
	%D%/tools/test_json_writer \
	%D%/cof/measure/test_sampling_noise \
	%D%/cof/options/test_tuning
dist_check_SCRIPTS += %D%/test_cof_stats.sh
if HOST_MONO
dist_check_SCRIPTS += %D%/e2e_mono.sh %D%/test_mono_module.sh %D%/test_mono_recompile.sh \
	%D%/stress_mono.sh
endif
EXTRA_DIST += %D%/fuzz_history.c %D%/fuzz_stats.c %D%/mono %D%/tool_lib.sh

# What the script starts: a process with a stats file, and the tool.
EXTRA_PROGRAMS += %D%/hold_share
CLEANFILES += %D%/hold_share$(EXEEXT)
check_DATA = %D%/hold_share$(EXEEXT)

%C%_test_escape_SOURCES = %D%/test_escape.c tools/escape.c tools/escape.h
%C%_test_escape_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
%C%_tools_test_json_writer_SOURCES = %D%/tools/test_json_writer.c \
	tools/cof-stats/json_writer.c tools/cof-stats/json_writer.h \
	tools/escape.c tools/escape.h
%C%_tools_test_json_writer_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
stats_reader_sources = \
	tools/cof-stats/json_writer.c tools/cof-stats/json_writer.h \
	tools/cof-stats/print_head.c tools/cof-stats/print_head.h \
	tools/cof-stats/print_summary.c tools/cof-stats/print_summary.h \
	tools/derived.c tools/derived.h tools/escape.c tools/escape.h \
	tools/print_json.c tools/print_json.h \
	tools/print_text.c tools/print_text.h \
	tools/reader.c tools/reader.h tools/units.c tools/units.h
%C%_test_stats_damage_SOURCES = %D%/test_stats_damage.c \
	$(stats_reader_sources)
%C%_test_stats_damage_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
%C%_test_stats_reader_SOURCES = %D%/test_stats_reader.c \
	$(stats_reader_sources)
%C%_test_stats_reader_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools

# The same test on jemalloc; sanitizers bring a malloc of their own.
if !SANITIZER
check_PROGRAMS += %D%/test_mem_jemalloc
%C%_test_mem_jemalloc_SOURCES = %D%/test_mem.c
%C%_test_mem_jemalloc_LDADD = $(LDADD) $(JEMALLOC_LIBS)
plain_tests     = %D%/test_magazine %D%/test_stdio
check_PROGRAMS += $(plain_tests)
%C%_test_stdio_SOURCES = %D%/test_stdio.c hosts/llvm/stdio.c \
	hosts/llvm/single.c hosts/llvm/single.h
%C%_test_stdio_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_magazine_SOURCES = %D%/test_magazine.c \
	hosts/llvm/libc_heap.c hosts/llvm/libc_heap.h \
	hosts/llvm/magazine.c hosts/llvm/magazine.h
%C%_test_magazine_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
else
# Known to check-local, and not built.
plain_tests     = %D%/test_magazine$(EXEEXT) %D%/test_stdio$(EXEEXT)
endif

# sampler, and what is process-wide
check_PROGRAMS += \
	%D%/test_apart \
	%D%/test_budget \
	%D%/test_credit \
	%D%/test_ehframe \
	%D%/test_fork \
	%D%/test_heapgate \
	%D%/test_handler \
	%D%/test_ladder \
	%D%/test_lent \
	%D%/test_locate \
	%D%/test_located \
	%D%/test_perf \
	%D%/test_range \
	%D%/test_regions \
	%D%/test_replay \
	%D%/test_ring \
	%D%/test_sampler \
	%D%/test_signal \
	%D%/test_stack \
	%D%/test_stage \
	%D%/test_threads \
	%D%/test_timer \
	%D%/test_unwind

%C%_test_stage_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create

# end to end: guests, real programs, and what is no program, under `runtime`
dist_check_SCRIPTS += \
	%D%/e2e_errors.sh \
	%D%/e2e_cof_cc.sh \
	%D%/e2e_guests.sh \
	%D%/e2e_idle.sh \
	%D%/e2e_images.sh \
	%D%/e2e_kept.sh \
	%D%/e2e_plugins.sh \
	%D%/e2e_programs.sh
EXTRA_DIST += \
	%D%/e2e_lib.sh \
	%D%/guests \
	%D%/plugins \
	scripts/packages.sh \
	scripts/programs.sh \
	scripts/totals.sh \
	demo.sh \
	test.sh

EXTRA_PROGRAMS += %D%/e2e_run
CLEANFILES += %D%/e2e_run$(EXEEXT)
check_DATA += %D%/e2e_run$(EXEEXT)
%C%_e2e_run_LDADD =

# The guests with builds drawn at random, over and over: SEEDS="1 2 3".
SEEDS = 1 2 3 4 5 6 7 8
.PHONY: check-stress-guests
check-stress-guests: all $(check_DATA)
	@for seed in $(SEEDS); do \
	  echo "seed $$seed"; \
	  srcdir=$(srcdir) E2E_MODES=stress E2E_SEED=$$seed \
	    $(SHELL) $(srcdir)/%D%/e2e_guests.sh || exit 1; \
	done

# The test programs again, in builds of their own that watch memory and threads.
# check-asan and check-tsan except nothing: what they find is a failure. Locals stay
# on the real stack, for that is where reclaim looks for addresses.
SAN_CC  = clang-22
SAN_CXX = clang++-22
san_configure = $(abs_srcdir)/configure --enable-debug --without-llvm
san_check     = check TESTS='$$(check_PROGRAMS)'

.PHONY: asan-build check-asan check-asan-mono check-tsan check-valgrind
asan-build:
	$(MKDIR_P) asan
	test -f asan/Makefile || (cd asan && $(san_configure) CC=$(SAN_CC) \
	  CXX=$(SAN_CXX) --enable-sanitizer=address,undefined)

check-asan: asan-build
	cd asan && ASAN_OPTIONS=detect_stack_use_after_return=0 \
	  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  $(MAKE) $(san_check)

# .NET programs in a host that is watched. Mono is not: it copies stacks, frames'
# borders and all, handles its own faults, and frees little at the end.
asan_found = log_path=$(abs_builddir)/asan/found
asan_mono = detect_stack_use_after_return=0:detect_leaks=0:handle_segv=0:$\
handle_sigfpe=0:handle_abort=0:replace_intrin=0:replace_str=0:$\
quarantine_size_mb=2:thread_local_quarantine_size_kb=64:$\
intercept_strlen=0:intercept_strchr=0:intercept_strndup=0:$(asan_found)
check-asan-mono: asan-build
	cd asan && $(MAKE) && $(MAKE) %D%/e2e_run && rm -f found.* && \
	  export ASAN_OPTIONS="$(asan_mono)" && \
	  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:$(asan_found) && \
	  $(SHELL) $(abs_srcdir)/%D%/e2e_mono.sh && \
	  $(SHELL) $(abs_srcdir)/%D%/stress_mono.sh; \
	  failed=$$?; ! cat found.* 2>/dev/null && exit $$failed

check-tsan:
	$(MKDIR_P) tsan
	test -f tsan/Makefile || (cd tsan && $(san_configure) CC=$(SAN_CC) \
	  CXX=$(SAN_CXX) --enable-sanitizer=thread)
	cd tsan && TSAN_OPTIONS=second_deadlock_stack=1 $(MAKE) $(san_check)

# Under valgrind all but these run, and of those that do a few tests are skipped:
# valgrind.h has what cannot be tested there, valgrind.supp what is no error.
#
#	stress_toy		a race, of one thread at a time there
#	test_bounded		waits for sleepers to be searched, 10,000 times
#	test_mem_jemalloc	valgrind's malloc stands in for any other
#	test_magazine		its malloc() stands in for libc's by any name
#	test_reclaim_inside	in all of it a thread is searched, asleep or not
valgrind_not = %D%/stress_toy$(EXEEXT) %D%/test_bounded$(EXEEXT) \
	%D%/test_magazine$(EXEEXT) %D%/test_mem_jemalloc$(EXEEXT) \
	%D%/test_reclaim_inside$(EXEEXT)

# Code memory is one file at two addresses: what is executed is compared with
# what was translated each time.
EXTRA_DIST += %D%/far.h %D%/valgrind.h %D%/valgrind.supp
VALGRIND_FLAGS = -q --smc-check=all --fair-sched=try --leak-check=full \
	--suppressions=$(abs_srcdir)/%D%/valgrind.supp --error-exitcode=99
check-valgrind:
	$(MKDIR_P) valgrind
	test -f valgrind/Makefile || (cd valgrind && $(san_configure))
	cd valgrind && COF_TEST_VALGRIND=1 \
	  $(MAKE) check LOG_COMPILER=valgrind LOG_FLAGS='$(VALGRIND_FLAGS)' \
	    TESTS='$$(filter-out $(valgrind_not),$$(check_PROGRAMS))'

clean-local:
	rm -rf asan tsan valgrind %D%/data/cof

# What kind of test each is; check-local wants each in one list. `make check` runs
# all of them.
#
#	unit		one part, or the loop in steps (stepped_loop.h): nothing
#			waits for time to pass. Less than a minute
#	integration	instances with their threads, the kernel's timers and
#			signals, LLVM's library, the tools
#	e2e		programs under `runtime` and Mono
unit_tests = \
	%D%/test_again \
	%D%/test_allowance \
	%D%/test_apart \
	%D%/test_audit \
	%D%/test_audit_cost \
	%D%/test_barrier \
	%D%/test_believed \
	%D%/test_budget \
	%D%/test_build_budget \
	%D%/test_cache \
	%D%/test_choose \
	%D%/test_codemem \
	%D%/test_copy \
	%D%/test_credit \
	%D%/test_decide \
	%D%/test_delivery \
	%D%/test_ehframe \
	%D%/test_escape \
	%D%/test_evidence \
	%D%/test_first_call \
	%D%/test_flow_table \
	%D%/test_fresh \
	%D%/test_fullness \
	%D%/test_gain \
	%D%/test_graph \
	%D%/test_group \
	%D%/test_hash \
	%D%/test_header_cxx \
	%D%/test_heapgate \
	%D%/test_history \
	%D%/test_history_damage \
	%D%/test_history_place \
	%D%/test_history_store \
	%D%/test_hitlist \
	%D%/test_hole \
	%D%/test_hotset \
	%D%/test_ignore \
	%D%/test_image \
	%D%/test_jitinfo \
	%D%/test_jitinfo_readers \
	%D%/test_ladder \
	%D%/test_lasting \
	%D%/test_limit \
	%D%/test_load \
	%D%/test_locate \
	%D%/test_magazine \
	%D%/test_map \
	%D%/test_mem \
	%D%/test_mem_jemalloc \
	%D%/test_mono_plans \
	%D%/test_object \
	%D%/test_opts \
	%D%/test_patcher \
	%D%/test_perf \
	%D%/test_phase \
	%D%/test_phase_trials \
	%D%/test_phase_versions \
	%D%/test_phases \
	%D%/test_picker \
	%D%/test_picker_profiles \
	%D%/test_pidstat \
	%D%/test_predictor \
	%D%/test_predictor_replay \
	%D%/test_profile \
	%D%/test_profile_groups \
	%D%/test_profiling \
	%D%/test_purse \
	%D%/test_queue \
	%D%/test_range \
	%D%/test_rank \
	%D%/test_reclaim \
	%D%/test_regions \
	%D%/test_replay \
	%D%/test_rest \
	%D%/test_reuse \
	%D%/test_rewind \
	%D%/test_ring \
	%D%/test_scan_words \
	%D%/test_share \
	%D%/test_share_files \
	%D%/test_sharedir \
	%D%/test_shelf \
	%D%/test_shelving \
	%D%/test_similarity \
	%D%/test_site \
	%D%/test_sleeper \
	%D%/test_slot \
	%D%/test_stack \
	%D%/test_stage \
	%D%/test_stats_damage \
	%D%/test_stats_reader \
	%D%/test_stdio \
	%D%/test_stepped_loop \
	%D%/test_stepped_phases \
	%D%/test_stub \
	%D%/test_stuck \
	%D%/test_switch \
	%D%/test_thought \
	%D%/test_turn \
	%D%/test_unwind \
	%D%/test_weight \
	%D%/test_word
integration_tests = \
	%D%/stress_toy \
	%D%/test_bench.sh \
	%D%/test_body \
	%D%/test_bounded \
	%D%/test_builds \
	%D%/test_cof_stats.sh \
	%D%/test_courier \
	%D%/test_flow \
	%D%/test_fork \
	%D%/test_handler \
	%D%/test_history_auto \
	%D%/test_history_known \
	%D%/test_history_run \
	%D%/test_history_writers \
	%D%/test_instance \
	%D%/test_kept \
	%D%/test_lent \
	%D%/test_located \
	%D%/test_loops \
	%D%/test_optimizer \
	%D%/test_pgo \
	%D%/test_pipeline \
	%D%/test_planted \
	%D%/test_profiling_any \
	%D%/test_profiling_threads \
	%D%/test_quick \
	%D%/test_reclaim_inside \
	%D%/test_sampler \
	%D%/test_scan \
	%D%/test_scan_stacks \
	%D%/test_signal \
	%D%/test_sink \
	%D%/test_start \
	%D%/test_threads \
	%D%/test_timer \
	%D%/test_why.sh
e2e_tests = \
	%D%/e2e_cof_cc.sh \
	%D%/e2e_errors.sh \
	%D%/e2e_guests.sh \
	%D%/e2e_idle.sh \
	%D%/e2e_images.sh \
	%D%/e2e_kept.sh \
	%D%/e2e_mono.sh \
	%D%/e2e_pgo.sh \
	%D%/e2e_plugins.sh \
	%D%/e2e_programs.sh \
	%D%/stress_mono.sh \
	%D%/test_mono_module.sh \
	%D%/test_mono_recompile.sh

kind_tests = $$(filter $$($(@:check-%=%)_tests),$$(check_PROGRAMS) $$(dist_check_SCRIPTS))
.PHONY: check-unit check-integration check-e2e
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) \
	  $(filter $(unit_tests),$(check_PROGRAMS))
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(kind_tests)'
check-integration check-e2e: all
	$(MAKE) $(AM_MAKEFLAGS) $(check_DATA) \
	  $(filter $($(@:check-%=%)_tests),$(check_PROGRAMS))
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(kind_tests)'

# A test file that no list names is a test that never runs.
check-local:
	@for f in $(srcdir)/%D%/test_*.c $(srcdir)/%D%/test_*.cpp; do \
	  n=`basename $$f .c`; n=`basename $$n .cpp`; \
	  case " $(check_PROGRAMS) $(llvm_tests) $(mono_tests) \
	  $(sqlite_tests) $(plain_tests) " in \
	  *"/$$n$(EXEEXT) "*) ;; \
	  *) echo "$$f is in no check_PROGRAMS" >&2; exit 1 ;; \
	  esac; \
	done
	@listed=`printf ' %s ' $(unit_tests) $(integration_tests) $(e2e_tests)`; \
	for t in $(check_PROGRAMS) $(dist_check_SCRIPTS); do \
	  t=$${t%$(EXEEXT)}; \
	  case $$listed in \
	  *" $$t "*" $$t "*) how="more than one" ;; \
	  *" $$t "*) continue ;; \
	  *) how=none ;; \
	  esac; \
	  echo "$$t: in $$how of unit_tests, integration_tests, e2e_tests" >&2; \
	  exit 1; \
	done

# patcher
check_PROGRAMS += \
	%D%/test_barrier \
	%D%/test_codemem \
	%D%/test_copy \
	%D%/test_first_call \
	%D%/test_hole \
	%D%/test_patcher \
	%D%/test_reclaim \
	%D%/test_reclaim_inside \
	%D%/test_scan \
	%D%/test_scan_stacks \
	%D%/test_scan_words \
	%D%/test_site \
	%D%/test_sleeper \
	%D%/test_slot \
	%D%/test_stuck \
	%D%/test_stub

# LLVM host
llvm_tests = \
	%D%/test_body \
	%D%/test_cache \
	%D%/test_graph \
	%D%/test_delivery \
	%D%/test_image \
	%D%/test_loops \
	%D%/test_map \
	%D%/test_object \
	%D%/test_profile \
	%D%/test_quick \
	%D%/test_shelf \
	%D%/test_shelving \
	%D%/test_sink
llvm_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
llvm_ldadd    = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
if HOST_LLVM
check_PROGRAMS += $(llvm_tests)
endif

# Mono host, with Mono and libcof played by the test
mono_tests = \
	%D%/test_mono_plans
if HOST_MONO
check_PROGRAMS += $(mono_tests)
endif

%C%_test_mono_plans_SOURCES = %D%/test_mono_plans.c cof/base/clock.c \
	hosts/mono/entries.c hosts/mono/estimate.c hosts/mono/inlining.c \
	hosts/mono/profile.c hosts/mono/vm/tuning.c \
	cof/options/tuning_parse.c
%C%_test_mono_plans_CPPFLAGS = -I$(srcdir)/hosts/mono $(AM_CPPFLAGS) \
	-isystem $(MONO_INCLUDE)
%C%_test_mono_plans_LDADD = $(CMOCKA_LIBS)

%C%_test_body_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_test_body_LDADD = $(llvm_ldadd)
%C%_test_cache_CPPFLAGS = $(llvm_cppflags)
%C%_test_cache_LDADD = $(llvm_ldadd)
%C%_test_delivery_CPPFLAGS = $(llvm_cppflags)
%C%_test_delivery_LDADD = $(llvm_ldadd)
%C%_test_image_CPPFLAGS = $(llvm_cppflags)
%C%_test_image_LDADD = $(llvm_ldadd)
%C%_test_map_CPPFLAGS = $(llvm_cppflags)
%C%_test_map_LDADD = $(llvm_ldadd)
%C%_test_object_CPPFLAGS = $(llvm_cppflags)
%C%_test_object_LDADD = $(llvm_ldadd)
%C%_test_shelf_CPPFLAGS = $(llvm_cppflags)
%C%_test_shelf_LDADD = $(llvm_ldadd)
%C%_test_shelving_CPPFLAGS = $(llvm_cppflags)
%C%_test_shelving_LDADD = $(llvm_ldadd)
%C%_test_graph_CPPFLAGS = $(llvm_cppflags)
%C%_test_graph_LDADD = $(llvm_ldadd)
%C%_test_loops_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_test_loops_LDADD = $(llvm_ldadd)
%C%_test_quick_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_test_quick_LDADD = $(llvm_ldadd)
%C%_test_sink_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_test_sink_LDADD = $(llvm_ldadd)
%C%_test_profile_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_test_profile_LDADD = $(llvm_ldadd)

# Profiles: a driver, and the guests under it.
if HOST_LLVM
EXTRA_PROGRAMS += %D%/llvm_pgo
CLEANFILES += %D%/llvm_pgo$(EXEEXT)
check_DATA += %D%/llvm_pgo$(EXEEXT)
endif
dist_check_SCRIPTS += %D%/e2e_pgo.sh

%C%_llvm_pgo_SOURCES = %D%/llvm_pgo.c \
	%D%/pgo_file.c %D%/pgo_file.h \
	hosts/llvm/allocator.h hosts/llvm/allocator_none.c \
	hosts/llvm/interpose.c hosts/llvm/interpose.h \
	hosts/llvm/ownpath.c hosts/llvm/ownpath.h \
	hosts/llvm/stack.c hosts/llvm/stack.h
%C%_llvm_pgo_CPPFLAGS = $(llvm_cppflags) $(LLVM_CPPFLAGS)
%C%_llvm_pgo_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
%C%_llvm_pgo_LDADD = libcofl.la libcofl-base.la libcof-all.la -lm -ldl

# audit
check_PROGRAMS += \
	%D%/test_again \
	%D%/test_audit \
	%D%/test_audit_cost \
	%D%/test_evidence \
	%D%/test_gain \
	%D%/test_thought \
	%D%/test_planted \
	%D%/test_purse \
	%D%/test_rewind \
	%D%/test_switch

# history
check_PROGRAMS += %D%/test_believed %D%/test_decide %D%/test_hash %D%/test_hotset

sqlite_tests = \
	%D%/test_courier \
	%D%/test_history_auto \
	%D%/test_history_known \
	%D%/test_history_damage \
	%D%/test_history_place \
	%D%/test_history_run \
	%D%/test_history_store \
	%D%/test_history_writers \
	%D%/test_kept
sqlite_cppflags = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
sqlite_ldadd    = $(LDADD) $(SQLITE_LIBS)
if HAVE_SQLITE
check_PROGRAMS += $(sqlite_tests)
endif

%C%_test_courier_CPPFLAGS = $(sqlite_cppflags)
%C%_test_courier_LDADD = $(sqlite_ldadd)
%C%_test_history_auto_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_auto_LDADD = $(sqlite_ldadd)
%C%_test_history_known_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_known_LDADD = $(sqlite_ldadd)
%C%_test_history_damage_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_damage_LDADD = $(sqlite_ldadd)
%C%_test_history_place_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_place_LDADD = $(sqlite_ldadd)
%C%_test_history_run_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_run_LDADD = $(sqlite_ldadd)
%C%_test_history_store_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_store_LDADD = $(sqlite_ldadd)
%C%_test_history_writers_CPPFLAGS = $(sqlite_cppflags)
%C%_test_history_writers_LDADD = $(sqlite_ldadd)
%C%_test_kept_CPPFLAGS = $(sqlite_cppflags)
%C%_test_kept_LDADD = $(sqlite_ldadd)

# profiles
check_PROGRAMS += \
	%D%/test_fresh \
	%D%/test_fullness \
	%D%/test_group \
	%D%/test_pgo \
	%D%/test_profile_groups \
	%D%/test_profiling \
	%D%/test_profiling_threads \
	%D%/test_profiling_any

%C%_test_profiling_threads_SOURCES = %D%/test_profiling.c
%C%_test_profiling_threads_CPPFLAGS = $(AM_CPPFLAGS) -DTOY_RUN_THREADS

# the benchmarks' own figures
dist_check_SCRIPTS += %D%/test_bench.sh
EXTRA_DIST += %D%/bench_test.py

# cof-stats --why
dist_check_SCRIPTS += %D%/test_why.sh
EXTRA_PROGRAMS += %D%/write_history
CLEANFILES += %D%/write_history$(EXEEXT)
check_DATA += %D%/write_history$(EXEEXT)

# phases, and versions kept for those that return
EXTRA_DIST += %D%/drawn.h
check_PROGRAMS += \
	%D%/test_phase \
	%D%/test_phase_versions \
	%D%/test_phase_trials \
	%D%/test_phases \
	%D%/test_reuse
