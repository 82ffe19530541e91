# optimizer: the P/O thread, and what becomes of each build

libcof_all_la_SOURCES += \
	%D%/build_result.c %D%/build_result.h \
	%D%/finish.c %D%/finish.h \
	%D%/inherited.c %D%/inherited.h \
	%D%/new_methods.c %D%/new_methods.h \
	%D%/optimizer.c %D%/optimizer.h
