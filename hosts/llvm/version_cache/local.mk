# version_cache: versions of earlier runs; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/cached_profile.c %D%/cached_profile.h \
	%D%/code_key.c %D%/code_key.h \
	%D%/counting_cache.c %D%/counting_cache.h \
	%D%/finish_mark.c %D%/finish_mark.h \
	%D%/verdicts.c %D%/verdicts.h \
	%D%/version_cache.c %D%/version_cache.h \
	%D%/version_cache_host.c %D%/version_cache_host.h \
	%D%/version_cache_put.c \
	%D%/version_cache_state.h \
	%D%/version_cache_write.c %D%/version_cache_write.h
endif
