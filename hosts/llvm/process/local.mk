# process: what libcof-preload.so does to the program's process: when libcof's
# side is opened, and the calls of libc that it has to know of

if HOST_LLVM
libcof_preload_la_SOURCES += \
	%D%/attach.c %D%/attach.h \
	%D%/capabilities.c %D%/capabilities.h \
	%D%/credentials.c \
	%D%/exec_self.c %D%/exec_self.h \
	%D%/exits.c \
	%D%/filter.c %D%/filter.h \
	%D%/finish.c %D%/finish.h \
	%D%/finisher.c %D%/finisher.h \
	%D%/last_exit.c %D%/last_exit.h \
	%D%/memory_lock.c \
	%D%/namespaces.c %D%/namespaces.h \
	%D%/own_path.c %D%/own_path.h \
	%D%/preload.c \
	%D%/signals.c \
	%D%/start.c %D%/start.h \
	%D%/syscall.c %D%/syscall.h %D%/syscall_x86_64.S \
	%D%/threads.c \
	%D%/unwinders.c
endif
