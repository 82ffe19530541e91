# api: the public functions, which compose the stages

libcof_all_la_SOURCES += \
	%D%/child_loop.c %D%/child_loop.h \
	%D%/cof.c \
	%D%/exit_async.c %D%/exit_async.h \
	%D%/fork_hooks.c %D%/fork_hooks.h \
	%D%/method.c %D%/method.h \
	%D%/sampling_signal.c \
	%D%/stages.c %D%/stages.h \
	%D%/stepped.h \
	%D%/version.c
