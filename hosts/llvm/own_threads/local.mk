# own_threads: libcof's threads in a process whose libc does not know them. A
# part of libcof-preload.so.

if HOST_LLVM
libcof_preload_la_SOURCES = \
	%D%/bare_thread.h %D%/bare_thread_x86_64.c \
	%D%/fork_handlers.c %D%/fork_handlers.h \
	%D%/fp_env.h \
	%D%/libc_locks.c %D%/libc_locks.h \
	%D%/linker_malloc.c %D%/linker_malloc.h \
	%D%/own_threads.c %D%/own_threads.h
endif
