# docs

dist_man_MANS += %D%/cof-cc.1 %D%/cof-stats.1 %D%/cof.3 %D%/runtime.1
EXTRA_DIST += %D%/audit.md %D%/benchmarks.md %D%/design.md %D%/embedding.md %D%/history.md %D%/mono.md %D%/patching.md %D%/threads.md %D%/lab/llvm-shim.md
