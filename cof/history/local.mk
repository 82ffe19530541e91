# history: what earlier runs of a program showed

libcof_all_la_SOURCES += \
	%D%/arrivals.c %D%/arrivals.h \
	%D%/collect.c %D%/collect.h \
	%D%/cpu.h \
	%D%/cpu_x86_64.c \
	%D%/history.c %D%/history.h \
	%D%/hotset.c %D%/hotset.h \
	%D%/known_hot.c %D%/known_hot.h \
	%D%/run_evidence.c %D%/run_evidence.h \
	%D%/run_verdict.c %D%/run_verdict.h \
	%D%/time_saved.c %D%/time_saved.h
