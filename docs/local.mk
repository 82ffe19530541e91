# docs

dist_man_MANS += %D%/cof-cc.1 %D%/cof-stats.1 %D%/cof.3 %D%/runtime.1
EXTRA_DIST += HACKING.md SECURITY.md scripts/pictures.py \
	%D%/audit.md %D%/bars.md %D%/benchmarks.md %D%/contract.md \
	%D%/design.md %D%/embedding.md \
	%D%/glossary.md %D%/history.md %D%/llvm.md %D%/mono.md \
	%D%/patching.md %D%/quality.md \
	%D%/release.md %D%/results.md %D%/threads.md %D%/troubleshooting.md \
	%D%/lab/README.md %D%/lab/allocators.md %D%/lab/bars.md \
	%D%/lab/builds.md \
	%D%/lab/cached-versions.md %D%/lab/chase.md \
	%D%/lab/build-memory.md %D%/lab/dispatches.md \
	%D%/lab/dotnet.md %D%/lab/first-run.md %D%/lab/fork.md \
	%D%/lab/instrumenting.md %D%/lab/lines.md %D%/lab/llvm-shim.md \
	%D%/lab/loaded.md %D%/lab/mcs.md %D%/lab/mode-off.md %D%/lab/native.md \
	%D%/lab/offline-pgo.md %D%/lab/one-by-one.md \
	%D%/lab/phases.md \
	%D%/lab/rejected.md %D%/lab/sensitivity.md %D%/lab/servers.md \
	%D%/lab/sqlite-profile.md %D%/lab/threads-price.md %D%/lab/zstd.md \
	%D%/pictures/pictures.txt %D%/pictures/auto.svg %D%/pictures/loop.svg \
	%D%/pictures/speed.svg %D%/pictures/threads.svg \
	%D%/pictures/version.svg \
	tests/docs/check_docs.py tests/docs/given

# Links, names, pictures and commands of the documents.
dist_check_SCRIPTS += tests/docs/check_docs.sh

.PHONY: pictures check-docs
pictures:
	python3 -B $(srcdir)/scripts/pictures.py
check-docs: all
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/docs/check_docs.sh
