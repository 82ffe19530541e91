# memory: libcof's own

libcof_all_la_SOURCES += \
	%D%/mem.c %D%/mem.h \
	%D%/mem_account.c %D%/mem_account.h \
	%D%/rlimits.c %D%/rlimits.h
