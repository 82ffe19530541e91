# bench

EXTRA_PROGRAMS += %D%/bench_latency
%C%_bench_latency_SOURCES = %D%/bench_latency.c
%C%_bench_latency_LDADD = libtoy.la libcof-all.la

EXTRA_PROGRAMS += %D%/bench_off
%C%_bench_off_SOURCES = %D%/bench_off.c
%C%_bench_off_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/hosts/toy
%C%_bench_off_LDADD = libtoy.la libcof-all.la

EXTRA_PROGRAMS += %D%/bench_generation %D%/bench_jitinfo
%C%_bench_generation_SOURCES = %D%/bench_generation.c
%C%_bench_generation_LDADD = libcof-all.la
%C%_bench_jitinfo_SOURCES = %D%/bench_jitinfo.c
%C%_bench_jitinfo_LDADD = libcof-all.la

EXTRA_PROGRAMS += %D%/bench_ring %D%/bench_sampler
%C%_bench_ring_SOURCES = %D%/bench_ring.c
%C%_bench_ring_LDADD = libcof-all.la
%C%_bench_sampler_SOURCES = %D%/bench_sampler.c
%C%_bench_sampler_LDADD = libcof-all.la -lm

EXTRA_PROGRAMS += %D%/bench_patch %D%/bench_reclaim
%C%_bench_patch_SOURCES = %D%/bench_patch.c
%C%_bench_patch_LDADD = libcof-all.la
%C%_bench_reclaim_SOURCES = %D%/bench_reclaim.c
%C%_bench_reclaim_LDADD = libcof-all.la

# `make bench`: what libcof's parts cost. Every bench_NOUN prints one JSON object
# a line, and nothing else, on stdout; they are collected in bench.json.
EXTRA_DIST += %D%/table.awk
CLEANFILES += bench.json programs.json
.PHONY: bench bench-programs
bench: $(EXTRA_PROGRAMS)
	@rm -f bench.json
	@for b in $(EXTRA_PROGRAMS); do \
	  case $$b in \
	  %D%/bench_*) ./$$b >>bench.json || exit 1 ;; \
	  esac; \
	done
	@$(AWK) -f $(srcdir)/%D%/table.awk bench.json

# `make bench-programs BENCH_FLAGS="--seconds 10 lua-fib"`: real programs against
# native code; results in programs.json.
EXTRA_DIST += %D%/programs.py %D%/workloads.txt %D%/text.awk %D%/lua
BENCH_FLAGS =
bench-programs: all $(EXTRA_PROGRAMS)
	$(SHELL) $(abs_srcdir)/scripts/programs.sh programs
	python3 $(srcdir)/%D%/programs.py --json programs.json $(BENCH_FLAGS)
