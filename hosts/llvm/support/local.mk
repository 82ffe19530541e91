# support: containers, files, errors; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/addresses.c %D%/addresses.h \
	%D%/cache_dir.c %D%/cache_dir.h \
	%D%/fatal.c %D%/fatal.h \
	%D%/linked_tail.c %D%/linked_tail.h \
	%D%/map.c %D%/map.h \
	%D%/memory_reserve.c %D%/memory_reserve.h \
	%D%/native_points.c %D%/native_points.h \
	%D%/record.c %D%/record.h \
	%D%/section.c %D%/section.h \
	%D%/tuning.c %D%/tuning.h %D%/tuning.def \
	%D%/xcalloc.c %D%/xcalloc.h

libcofl_recover_la_SOURCES += %D%/recover.cpp %D%/recover.h
endif
