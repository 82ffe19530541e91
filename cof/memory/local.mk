# memory: libcof's own, in an arena of its own

libcof_all_la_SOURCES += \
	%D%/arena.c %D%/arena.h \
	%D%/arena_fork.c %D%/arena_fork.h \
	%D%/mem.c %D%/mem.h \
	%D%/rlimits.c %D%/rlimits.h
