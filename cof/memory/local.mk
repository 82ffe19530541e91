# memory: libcof's own, in an arena of its own

libcof_all_la_SOURCES += \
	%D%/arena.c %D%/arena.h \
	%D%/arena_fork.c %D%/arena_fork.h \
	%D%/boot_heap.c %D%/boot_heap.h \
	%D%/mem.c %D%/mem.h \
	%D%/mem_account.c %D%/mem_account.h \
	%D%/rlimits.c %D%/rlimits.h
