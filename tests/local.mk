# tests

# optimizer, instance, toy host, and the whole pipeline on it
check_PROGRAMS += \
	%D%/stress_toy \
	%D%/test_allowance \
	%D%/test_bounded \
	%D%/test_choose \
	%D%/test_flow \
	%D%/test_header_cxx \
	%D%/test_ignore \
	%D%/test_instance \
	%D%/test_load \
	%D%/test_optimizer \
	%D%/test_picker \
	%D%/test_pipeline \
	%D%/test_queue

%C%_stress_toy_SOURCES = %D%/stress_toy.c %D%/balance.h
%C%_stress_toy_LDADD = libtoy.la libcof-all.la
%C%_test_allowance_SOURCES = %D%/test_allowance.c
%C%_test_allowance_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_bounded_SOURCES = %D%/test_bounded.c %D%/backed.h %D%/balance.h
%C%_test_bounded_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_choose_SOURCES = %D%/test_choose.c
%C%_test_choose_LDADD = libcof-all.la $(CMOCKA_LIBS) -lm
%C%_test_flow_SOURCES = %D%/test_flow.c %D%/balance.h
%C%_test_flow_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_header_cxx_SOURCES = %D%/test_header_cxx.cpp
%C%_test_header_cxx_CXXFLAGS = -std=c++11 $(SAN_FLAGS) -Wall -Wextra
%C%_test_header_cxx_LDADD = libcof-all.la
%C%_test_ignore_SOURCES = %D%/test_ignore.c
%C%_test_ignore_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_instance_SOURCES = %D%/test_instance.c %D%/balance.h
%C%_test_instance_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_load_SOURCES = %D%/test_load.c
%C%_test_load_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_optimizer_SOURCES = %D%/test_optimizer.c %D%/balance.h
%C%_test_optimizer_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_picker_SOURCES = %D%/test_picker.c
%C%_test_picker_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_pipeline_SOURCES = %D%/test_pipeline.c %D%/balance.h
%C%_test_pipeline_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_queue_SOURCES = %D%/test_queue.c
%C%_test_queue_LDADD = libcof-all.la $(CMOCKA_LIBS)

# `make check` runs it for seconds; this is for when something changed.
STRESS_SECONDS = 60
.PHONY: check-stress
check-stress: %D%/stress_toy
	%D%/stress_toy $(STRESS_SECONDS)

# predictor and JIT-info index
EXTRA_DIST += \
	%D%/data/drift.txt \
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
	%D%/test_predictor \
	%D%/test_predictor_replay \
	%D%/test_rank \
	%D%/test_similarity \
	%D%/test_turn \
	%D%/test_weight \
	%D%/test_word

%C%_test_history_SOURCES = %D%/test_history.c
%C%_test_history_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_hitlist_SOURCES = %D%/test_hitlist.c
%C%_test_hitlist_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_jitinfo_SOURCES = %D%/test_jitinfo.c
%C%_test_jitinfo_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_predictor_SOURCES = %D%/test_predictor.c
%C%_test_predictor_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_predictor_replay_SOURCES = %D%/test_predictor_replay.c
%C%_test_predictor_replay_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_rank_SOURCES = %D%/test_rank.c
%C%_test_rank_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_similarity_SOURCES = %D%/test_similarity.c
%C%_test_similarity_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_turn_SOURCES = %D%/test_turn.c
%C%_test_turn_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_weight_SOURCES = %D%/test_weight.c
%C%_test_weight_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_word_SOURCES = %D%/test_word.c
%C%_test_word_LDADD = libcof-all.la $(CMOCKA_LIBS)

# what users see of a live process
check_PROGRAMS += \
	%D%/test_escape \
	%D%/test_flow_table \
	%D%/test_mem \
	%D%/test_opts \
	%D%/test_pidstat \
	%D%/test_share \
	%D%/test_sharedir \
	%D%/test_stats_reader
dist_check_SCRIPTS += %D%/test_cof_stats.sh
EXTRA_DIST += %D%/fuzz_history.c %D%/fuzz_stats.c

# What the script starts: a process with a stats file, and the tool.
EXTRA_PROGRAMS += %D%/hold_share
CLEANFILES += %D%/hold_share$(EXEEXT)
check_DATA = %D%/hold_share$(EXEEXT)

%C%_hold_share_SOURCES = %D%/hold_share.c
%C%_hold_share_LDADD = libcof-all.la
%C%_test_escape_SOURCES = %D%/test_escape.c tools/escape.c tools/escape.h
%C%_test_escape_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
%C%_test_escape_LDADD = $(CMOCKA_LIBS)
%C%_test_flow_table_SOURCES = %D%/test_flow_table.c
%C%_test_flow_table_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_mem_SOURCES = %D%/test_mem.c
%C%_test_mem_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_opts_SOURCES = %D%/test_opts.c
%C%_test_opts_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_pidstat_SOURCES = %D%/test_pidstat.c
%C%_test_pidstat_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_share_SOURCES = %D%/test_share.c %D%/share_dir.h
%C%_test_share_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_sharedir_SOURCES = %D%/test_sharedir.c %D%/share_dir.h
%C%_test_sharedir_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_stats_reader_SOURCES = %D%/test_stats_reader.c %D%/share_dir.h \
	tools/derived.c tools/derived.h tools/escape.c tools/escape.h \
	tools/print_json.c tools/print_json.h \
	tools/print_text.c tools/print_text.h \
	tools/reader.c tools/reader.h tools/units.c tools/units.h
%C%_test_stats_reader_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tools
%C%_test_stats_reader_LDADD = libcof-all.la $(CMOCKA_LIBS)

# The same test on jemalloc; sanitizers bring a malloc of their own.
if !SANITIZER
check_PROGRAMS += %D%/test_mem_jemalloc
%C%_test_mem_jemalloc_SOURCES = %D%/test_mem.c
%C%_test_mem_jemalloc_LDADD = libcof-all.la $(CMOCKA_LIBS) $(JEMALLOC_LIBS)
endif

# sampler, and what is process-wide
EXTRA_DIST += %D%/bare.h

check_PROGRAMS += \
	%D%/test_budget \
	%D%/test_perf \
	%D%/test_process \
	%D%/test_replay \
	%D%/test_ring \
	%D%/test_sampler \
	%D%/test_regions \
	%D%/test_stack \
	%D%/test_stage \
	%D%/test_threads

%C%_test_budget_SOURCES = %D%/test_budget.c
%C%_test_budget_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_perf_SOURCES = %D%/test_perf.c
%C%_test_perf_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_process_SOURCES = %D%/test_process.c %D%/bare.h
%C%_test_process_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_replay_SOURCES = %D%/test_replay.c
%C%_test_replay_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_ring_SOURCES = %D%/test_ring.c
%C%_test_ring_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_sampler_SOURCES = %D%/test_sampler.c %D%/bare.h %D%/balance.h
%C%_test_sampler_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_regions_SOURCES = %D%/test_regions.c
%C%_test_regions_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_stack_SOURCES = %D%/test_stack.c
%C%_test_stack_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_stage_SOURCES = %D%/test_stage.c
%C%_test_stage_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_threads_SOURCES = %D%/test_threads.c %D%/bare.h %D%/balance.h
%C%_test_threads_LDADD = libcof-all.la $(CMOCKA_LIBS)

# end to end: guests, real programs, and what is no program, under `runtime`
dist_check_SCRIPTS += \
	%D%/e2e_errors.sh \
	%D%/e2e_cof_cc.sh \
	%D%/e2e_guests.sh \
	%D%/e2e_images.sh \
	%D%/e2e_programs.sh
EXTRA_DIST += \
	%D%/e2e_lib.sh \
	%D%/guests \
	scripts/packages.sh \
	scripts/programs.sh \
	scripts/totals.sh \
	demo.sh \
	test.sh

EXTRA_PROGRAMS += %D%/e2e_run
CLEANFILES += %D%/e2e_run$(EXEEXT)
check_DATA += %D%/e2e_run$(EXEEXT)
%C%_e2e_run_SOURCES = %D%/e2e_run.c
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
# Nothing is excepted there: what they find is a failure. Locals stay on the real
# stack, for that is where reclaim looks for addresses.
SAN_CC  = clang-22
SAN_CXX = clang++-22
san_configure = $(abs_srcdir)/configure --enable-debug --without-llvm
san_check     = check TESTS='$$(check_PROGRAMS)'

.PHONY: check-asan check-tsan check-valgrind
check-asan:
	$(MKDIR_P) asan
	test -f asan/Makefile || (cd asan && $(san_configure) CC=$(SAN_CC) \
	  CXX=$(SAN_CXX) --enable-sanitizer=address,undefined)
	cd asan && ASAN_OPTIONS=detect_stack_use_after_return=0 \
	  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  $(MAKE) $(san_check)

check-tsan:
	$(MKDIR_P) tsan
	test -f tsan/Makefile || (cd tsan && $(san_configure) CC=$(SAN_CC) \
	  CXX=$(SAN_CXX) --enable-sanitizer=thread)
	cd tsan && TSAN_OPTIONS=second_deadlock_stack=1 $(MAKE) $(san_check)

check-valgrind:
	$(MKDIR_P) valgrind
	test -f valgrind/Makefile || (cd valgrind && $(san_configure))
	cd valgrind && $(MAKE) $(san_check) LOG_COMPILER=valgrind \
	  LOG_FLAGS='-q --leak-check=full --error-exitcode=99'

clean-local:
	rm -rf asan tsan valgrind

# A test file that no list names is a test that never runs.
check-local:
	@for f in $(srcdir)/%D%/test_*.c $(srcdir)/%D%/test_*.cpp; do \
	  n=`basename $$f .c`; n=`basename $$n .cpp`; \
	  case " $(check_PROGRAMS) $(llvm_tests) " in \
	  *"/$$n$(EXEEXT) "*) ;; \
	  *) echo "$$f is in no check_PROGRAMS" >&2; exit 1 ;; \
	  esac; \
	done

# patcher
check_PROGRAMS += \
	%D%/test_codemem \
	%D%/test_hole \
	%D%/test_patcher \
	%D%/test_reclaim \
	%D%/test_scan \
	%D%/test_site \
	%D%/test_slot \
	%D%/test_stub

%C%_test_codemem_SOURCES = %D%/test_codemem.c
%C%_test_codemem_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_hole_SOURCES = %D%/test_hole.c
%C%_test_hole_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_patcher_SOURCES = %D%/test_patcher.c %D%/balance.h %D%/piece.h
%C%_test_patcher_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_reclaim_SOURCES = %D%/test_reclaim.c %D%/balance.h %D%/piece.h
%C%_test_reclaim_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_scan_SOURCES = %D%/test_scan.c %D%/balance.h
%C%_test_scan_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_site_SOURCES = %D%/test_site.c %D%/piece.h
%C%_test_site_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_slot_SOURCES = %D%/test_slot.c %D%/piece.h
%C%_test_slot_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_stub_SOURCES = %D%/test_stub.c %D%/piece.h
%C%_test_stub_LDADD = libcof-all.la $(CMOCKA_LIBS) -lm

# LLVM host
llvm_tests = %D%/test_graph$(EXEEXT) %D%/test_profile$(EXEEXT) %D%/test_loops$(EXEEXT) \
	%D%/test_cache$(EXEEXT) %D%/test_image$(EXEEXT) %D%/test_map$(EXEEXT) %D%/test_object$(EXEEXT)
if HOST_LLVM
check_PROGRAMS += %D%/test_cache %D%/test_image %D%/test_map %D%/test_object
endif

%C%_test_cache_SOURCES = %D%/test_cache.c
%C%_test_cache_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_cache_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_image_SOURCES = %D%/test_image.c
%C%_test_image_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_image_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_map_SOURCES = %D%/test_map.c
%C%_test_map_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_map_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_object_SOURCES = %D%/test_object.c
%C%_test_object_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_object_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)

# Profiles: pure parts, a driver, and the guests under it.
if HOST_LLVM
check_PROGRAMS += %D%/test_graph %D%/test_profile
EXTRA_PROGRAMS += %D%/llvm_pgo
CLEANFILES += %D%/llvm_pgo$(EXEEXT)
check_DATA += %D%/llvm_pgo$(EXEEXT)
endif
dist_check_SCRIPTS += %D%/e2e_pgo.sh

%C%_test_graph_SOURCES = %D%/test_graph.c
%C%_test_graph_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_graph_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_profile_SOURCES = %D%/test_profile.c
%C%_test_profile_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm
%C%_test_profile_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
%C%_llvm_pgo_SOURCES = %D%/llvm_pgo.c runtime/interpose.c runtime/interpose.h
%C%_llvm_pgo_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm \
	-I$(srcdir)/runtime $(LLVM_CPPFLAGS)
%C%_llvm_pgo_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
%C%_llvm_pgo_LDADD = libcofl.la libcofl-base.la libcof-all.la -lm -ldl

# audit
check_PROGRAMS += \
	%D%/test_audit \
	%D%/test_evidence \
	%D%/test_gain \
	%D%/test_planted \
	%D%/test_switch

%C%_test_audit_SOURCES = %D%/test_audit.c %D%/balance.h %D%/piece.h
%C%_test_audit_LDADD = libcof-all.la $(CMOCKA_LIBS) -lm
%C%_test_evidence_SOURCES = %D%/test_evidence.c
%C%_test_evidence_LDADD = libcof-all.la $(CMOCKA_LIBS) -lm
%C%_test_gain_SOURCES = %D%/test_gain.c
%C%_test_gain_LDADD = libcof-all.la $(CMOCKA_LIBS) -lm
%C%_test_planted_SOURCES = %D%/test_planted.c %D%/balance.h
%C%_test_planted_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)
%C%_test_switch_SOURCES = %D%/test_switch.c %D%/balance.h %D%/piece.h
%C%_test_switch_LDADD = libcof-all.la $(CMOCKA_LIBS)

# history
check_PROGRAMS += %D%/test_decide %D%/test_hash
%C%_test_decide_SOURCES = %D%/test_decide.c %D%/history.h
%C%_test_decide_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_hash_SOURCES = %D%/test_hash.c
%C%_test_hash_LDADD = $(CMOCKA_LIBS)

if HAVE_SQLITE
check_PROGRAMS += %D%/test_history_run %D%/test_history_store
endif
%C%_test_history_run_SOURCES = %D%/test_history_run.c %D%/balance.h %D%/history.h
%C%_test_history_run_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
%C%_test_history_run_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS) $(SQLITE_LIBS)
%C%_test_history_store_SOURCES = %D%/test_history_store.c %D%/history.h
%C%_test_history_store_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
%C%_test_history_store_LDADD = libcof-all.la $(CMOCKA_LIBS) $(SQLITE_LIBS)

# profiles
check_PROGRAMS += \
	%D%/test_fresh \
	%D%/test_group \
	%D%/test_fullness \
	%D%/test_profiling

%C%_test_fresh_SOURCES = %D%/test_fresh.c
%C%_test_fresh_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_group_SOURCES = %D%/test_group.c
%C%_test_group_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_fullness_SOURCES = %D%/test_fullness.c
%C%_test_fullness_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_test_profiling_SOURCES = %D%/test_profiling.c %D%/balance.h %D%/counter.h
%C%_test_profiling_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)

# the benchmarks' own figures
dist_check_SCRIPTS += %D%/test_bench.sh
EXTRA_DIST += %D%/bench_test.py

# cof-stats --why
dist_check_SCRIPTS += %D%/test_why.sh
EXTRA_PROGRAMS += %D%/write_history
CLEANFILES += %D%/write_history$(EXEEXT)
check_DATA += %D%/write_history$(EXEEXT)
%C%_write_history_SOURCES = %D%/write_history.c %D%/history.h
%C%_write_history_LDADD = libcof-all.la

# versions kept for phases that return; reuse_toy is for an idle machine
check_PROGRAMS += %D%/test_phases
EXTRA_PROGRAMS += %D%/reuse_toy
CLEANFILES += %D%/reuse_toy$(EXEEXT)
%C%_test_phases_SOURCES = %D%/test_phases.c %D%/balance.h %D%/piece.h
%C%_test_phases_LDADD = libcof-all.la $(CMOCKA_LIBS)
%C%_reuse_toy_SOURCES = %D%/reuse_toy.c %D%/balance.h %D%/counter.h
%C%_reuse_toy_LDADD = libtoy.la libcof-all.la $(CMOCKA_LIBS)

# on-stack replacement
if HOST_LLVM
check_PROGRAMS += %D%/test_loops
endif
%C%_test_loops_SOURCES = %D%/test_loops.c
%C%_test_loops_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/llvm $(LLVM_CPPFLAGS)
%C%_test_loops_LDADD = libcofl.la libcofl-base.la libcof-all.la $(CMOCKA_LIBS)
