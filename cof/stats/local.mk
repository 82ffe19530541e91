# stats: the file that cof-stats reads

libcof_all_la_SOURCES += \
	%D%/pidstat.c %D%/pidstat.h \
	%D%/stats_descs.c %D%/stats_descs.h \
	%D%/stats_dir.c %D%/stats_dir.h \
	%D%/stats_file.c %D%/stats_file.h \
	%D%/stats_text.c %D%/stats_text.h
