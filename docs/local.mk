# docs

dist_man_MANS += %D%/cof-stats.1 %D%/cof.3 %D%/runtime.1
EXTRA_DIST += %D%/design.md %D%/embedding.md %D%/patching.md %D%/threads.md
