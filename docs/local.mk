# docs

dist_man_MANS += %D%/cof-stats.1 %D%/cof.3
