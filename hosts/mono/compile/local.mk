# compile: bodies made by Mono's compiler

if HOST_MONO
hosts_mono_cof_mono_SOURCES += \
	%D%/body.c %D%/body.h \
	%D%/call_profile.c %D%/call_profile.h \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/check.c %D%/check.h \
	%D%/compile.c %D%/compile.h \
	%D%/entries.c %D%/entries.h \
	%D%/entry.c %D%/entry.h \
	%D%/estimate.c %D%/estimate.h \
	%D%/inlining.c %D%/inlining.h \
	%D%/lines.c %D%/lines.h \
	%D%/unload.c %D%/unload.h
endif
