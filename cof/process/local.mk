# process: threads of ours, and all that is process-wide

libcof_all_la_SOURCES += \
	%D%/barrier.c %D%/barrier.h \
	%D%/exit_request.h \
	%D%/file_thread.c %D%/file_thread.h \
	%D%/forked.c %D%/forked.h \
	%D%/former_action.c %D%/former_action.h \
	%D%/interrupted_call.h %D%/interrupted_call_x86_64.c \
	%D%/left.c %D%/left.h \
	%D%/own_threads.c %D%/own_threads.h \
	%D%/proc_stat.c %D%/proc_stat.h \
	%D%/process.c %D%/process.h \
	%D%/stage.c %D%/stage.h \
	%D%/stage_stack.c %D%/stage_stack.h
