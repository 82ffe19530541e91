# tools: what users see of a live process

bin_PROGRAMS += cof-stats
cof_stats_SOURCES = \
	%D%/cof-stats.c \
	%D%/derived.c %D%/derived.h \
	%D%/escape.c %D%/escape.h \
	%D%/find.c %D%/find.h \
	%D%/list.c %D%/list.h \
	%D%/print_json.c %D%/print_json.h \
	%D%/print_text.c %D%/print_text.h \
	%D%/reader.c %D%/reader.h \
	%D%/units.c %D%/units.h \
	%D%/watch.c %D%/watch.h
cof_stats_LDADD = libcof-all.la
