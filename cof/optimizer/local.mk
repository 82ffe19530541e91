# optimizer: pick what is worth it, have it built, hand it to the patcher

libcof_all_la_SOURCES += \
	%D%/allowance.c %D%/allowance.h \
	%D%/choose.c %D%/choose.h \
	%D%/ignore.c %D%/ignore.h \
	%D%/load.c %D%/load.h \
	%D%/optimizer.c %D%/optimizer.h \
	%D%/picker.c %D%/picker.h \
	%D%/queue.c %D%/queue.h \
	%D%/worker.c %D%/worker.h
