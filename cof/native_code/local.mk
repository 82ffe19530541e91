# native_code: a host's own code, whose addresses callers hold

libcof_all_la_SOURCES += \
	%D%/first_again.c %D%/first_again.h \
	%D%/leave_alone.c \
	%D%/version_copy.c %D%/version_copy.h
