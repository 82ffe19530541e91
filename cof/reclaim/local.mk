# reclaim: old code is freed once no thread is inside

libcof_all_la_SOURCES += \
	%D%/reclaim.c %D%/reclaim.h %D%/reclaim_private.h \
	%D%/reclaim_due.c \
	%D%/remote_thread.c %D%/remote_thread.h \
	%D%/scan.c %D%/scan.h \
	%D%/scan_remote.c \
	%D%/scan_round.c \
	%D%/scan_x86_64.c \
	%D%/unseen_thread.c %D%/unseen_thread.h
