# image: a program's native image; no LLVM

if HOST_LLVM
libcofl_base_la_SOURCES += \
	%D%/image.c %D%/image.h \
	%D%/image_cache.c %D%/image_cache.h \
	%D%/image_launch.c %D%/image_launch.h \
	%D%/image_load.c %D%/image_load.h \
	%D%/image_stream.c %D%/image_stream.h \
	%D%/image_versions.c %D%/image_versions.h \
	%D%/program_load.c %D%/program_load.h
endif
