# instrumented: versions that count, and the profiles they yield

libcof_all_la_SOURCES += \
	%D%/instrumented.c %D%/instrumented.h \
	%D%/just_compiled.h \
	%D%/profile.c %D%/profile.h
