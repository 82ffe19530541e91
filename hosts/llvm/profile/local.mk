# profile: profiles of methods, and the counters they come from; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/collect.c %D%/collect.h \
	%D%/counter_shards.c %D%/counter_shards.h \
	%D%/counters.c %D%/counters.h \
	%D%/counting.c %D%/counting.h \
	%D%/graph.c %D%/graph.h \
	%D%/method_profile.c %D%/method_profile.h
endif
