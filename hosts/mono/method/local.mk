# method: what is known of a method

if HOST_MONO
hosts_mono_cof_mono_SOURCES += \
	%D%/calls.c %D%/calls.h \
	%D%/identity.c %D%/identity.h \
	%D%/il.c %D%/il.h \
	%D%/inlined_code.c %D%/inlined_code.h \
	%D%/locate.c %D%/locate.h \
	%D%/method.c %D%/method.h \
	%D%/shared.c %D%/shared.h \
	%D%/stack_calls.c %D%/stack_calls.h
endif
