# count: versions that count how they run

if HOST_LLVM
libcofl_la_SOURCES += \
	%D%/count.c %D%/count.h \
	%D%/counters.c %D%/counters.h \
	%D%/insert.c %D%/insert.h
endif
