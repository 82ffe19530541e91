# threads: guest threads, their stacks and unwind tables

libcof_all_la_SOURCES += \
	%D%/cpu_timer.c %D%/cpu_timer.h \
	%D%/ehframe.c %D%/ehframe.h \
	%D%/pending.h \
	%D%/poke.c %D%/poke.h \
	%D%/regions.c %D%/regions.h \
	%D%/stack.c %D%/stack.h \
	%D%/stack_list.c \
	%D%/threads.c %D%/threads.h \
	%D%/unwind.h

if HAVE_UNWIND
libcof_all_la_SOURCES += %D%/unwind.c
else
libcof_all_la_SOURCES += %D%/unwind_none.c
endif
EXTRA_DIST += %D%/unwind.c %D%/unwind_none.c
