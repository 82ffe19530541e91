# docs

dist_man_MANS += %D%/cof-stats.1 %D%/cof.3
EXTRA_DIST += %D%/embedding.md %D%/patching.md %D%/threads.md
