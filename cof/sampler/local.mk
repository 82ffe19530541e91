# sample: kernel -> rings -> calls in the COF words

libcof_all_la_SOURCES += \
	%D%/begin.c \
	%D%/budget.c %D%/budget.h \
	%D%/cost.c %D%/cost.h \
	%D%/credit.c %D%/credit.h \
	%D%/drain.c %D%/drain.h \
	%D%/ehframe.c %D%/ehframe.h \
	%D%/event.c %D%/event.h \
	%D%/guests.c \
	%D%/handler.c %D%/handler.h \
	%D%/itimer.c \
	%D%/ladder.c %D%/ladder.h \
	%D%/perf.c \
	%D%/perfring.c %D%/perfring.h \
	%D%/regions.c %D%/regions.h \
	%D%/replay.c %D%/replay.h \
	%D%/sam.h \
	%D%/sampler.c %D%/sampler.h \
	%D%/source.h \
	%D%/stack.c %D%/stack.h \
	%D%/threads.c %D%/threads.h \
	%D%/timer.c %D%/timer.h \
	%D%/unwind.h \
	%D%/window.c

if HAVE_UNWIND
libcof_all_la_SOURCES += %D%/unwind.c
else
libcof_all_la_SOURCES += %D%/unwind_none.c
endif
EXTRA_DIST += %D%/unwind.c %D%/unwind_none.c
