# vm: Mono's insides

if HOST_MONO
hosts_mono_cof_mono_SOURCES += \
	%D%/attach.c %D%/attach.h \
	%D%/call_sites.c \
	%D%/cctors.c %D%/cctors.h \
	%D%/domains.c %D%/domains.h \
	%D%/hidden_threads.c %D%/hidden_threads.h \
	%D%/host.h \
	%D%/internals.h \
	%D%/island.c %D%/island.h \
	%D%/jit_record.c %D%/jit_record.h \
	%D%/method_flags.h \
	%D%/near.c \
	%D%/shutdown.c %D%/shutdown.h \
	%D%/shutdown_early.c \
	%D%/stop_world.c %D%/stop_world.h \
	%D%/threads.c %D%/threads.h \
	%D%/tuning.c %D%/tuning.h %D%/tuning.def
endif
