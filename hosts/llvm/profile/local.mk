# profile: profiles of methods, and the counters they come from; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/counter_shards.c %D%/counter_shards.h \
	%D%/method_profile.c %D%/method_profile.h
endif
