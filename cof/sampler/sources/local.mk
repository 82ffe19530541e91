# sources: the sources of samples

libcof_all_la_SOURCES += \
	%D%/event.c %D%/event.h \
	%D%/itimer.c \
	%D%/ladder.c %D%/ladder.h \
	%D%/perf.c \
	%D%/perfring.c %D%/perfring.h \
	%D%/replay.c %D%/replay.h \
	%D%/source.h \
	%D%/timer.c %D%/timer.h
