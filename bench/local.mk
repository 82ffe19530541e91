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

# `make bench`: the costs of libcof's parts. On stdout every bench_NOUN prints
# only JSON objects, one a line; bench.json collects them.
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

# Benchmarks of programs:
#
#	make bench-programs	beside native code, by bench/run; results are in
#				programs.json, and as a page in programs.html
#	make bench-phases	the phases that libcof detects, of known phases
#
# Options are in BENCH_FLAGS="--seconds 10 --modes native,off,co lua-fib".
EXTRA_DIST += \
	%D%/bars %D%/build %D%/compare %D%/dotnet %D%/fork %D%/phases \
	%D%/report \
	%D%/results %D%/run %D%/sensitivity %D%/servers %D%/startup \
	%D%/wide %D%/wide.txt %D%/workers \
	%D%/csharp.awk %D%/json.awk %D%/text.awk %D%/workloads.txt \
	%D%/gawk/words.awk %D%/jq/report.jq \
	%D%/lib/bars.py %D%/lib/change.py %D%/lib/effects.py \
	%D%/lib/estimate.py %D%/lib/inputs.py %D%/lib/journal.py \
	%D%/lib/linked.py \
	%D%/lib/page.py \
	%D%/lib/phasescore.py %D%/lib/plot.py %D%/lib/process.py \
	%D%/lib/resultpage.py %D%/lib/results.py %D%/lib/series.py \
	%D%/lib/servers.py \
	%D%/lib/stepped.py %D%/lib/steppedreport.py \
	%D%/lib/tuning.py %D%/lib/variant.py \
	%D%/lib/wideresults.py %D%/lib/workload.py \
	%D%/lua/closures.lua %D%/lua/fib.lua %D%/lua/nbody.lua \
	%D%/lua/sort.lua %D%/lua/strings.lua \
	%D%/minisat/solve.cc \
	%D%/mono/aspnet/aspnet.cs %D%/mono/aspnet/default.aspx \
	%D%/mono/arrays.cs %D%/mono/delegates.cs %D%/mono/fannkuch.cs \
	%D%/mono/fib.cs %D%/mono/hello.cs %D%/mono/matrix.cs %D%/mono/nbody.cs \
	%D%/mono/single.cs %D%/mono/small.cs %D%/mono/strings.cs \
	%D%/mono/tables.cs %D%/mono/trees.cs %D%/mono/vector.cs \
	%D%/mono/virtual.cs \
	%D%/mujs/text.js %D%/mujs/tree.js \
	%D%/scripts/count.awk %D%/scripts/mixed.js %D%/scripts/mixed.pl \
	%D%/scripts/mixed.py %D%/scripts/mixed.rb \
	%D%/scripts/mixed.sh %D%/scripts/mixed.tcl \
	%D%/server/ask.py \
	%D%/sim/chip.v %D%/sim/cores.awk %D%/sim/firmware.c %D%/sim/link.ld \
	%D%/sim/main.cc %D%/sim/rom.awk %D%/sim/start.S \
	%D%/synthetic/chase.c %D%/synthetic/forks.c \
	%D%/synthetic/formulas.cpp %D%/synthetic/hello.c \
	%D%/synthetic/invert.c %D%/synthetic/libc.cpp \
	%D%/synthetic/mainloop.c %D%/synthetic/phases.c %D%/synthetic/workers.c
BENCH_FLAGS =
CLEANFILES += programs.html phases.json
.PHONY: bench-phases
bench-programs: all $(EXTRA_PROGRAMS)
	$(srcdir)/%D%/run --json programs.json $(BENCH_FLAGS)
	$(srcdir)/%D%/report programs.json >programs.html

# `make tuning-table`: the tuning constants as a section of a document.
# bench/sensitivity tells which of them matter, in a build with --enable-tuning;
# with --stepped by bench/stepped/stepped, whose figures need no quiet machine.
.PHONY: tuning-table
tuning-table:
	@$(srcdir)/%D%/sensitivity --table

bench-phases: all
	$(srcdir)/%D%/phases --json phases.json $(BENCH_FLAGS)
