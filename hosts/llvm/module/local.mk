# module: the face of libcof-llvm.so, and image building

if HOST_LLVM
libcofl_la_SOURCES += \
	cof/base/onstack.h cof/base/onstack_x86_64.S \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/check.c %D%/check.h \
	%D%/copy_pool.c %D%/copy_pool.h \
	%D%/drop_pages.c %D%/drop_pages.h \
	%D%/entry_code.cpp %D%/entry_code.h \
	%D%/first_call.c %D%/first_call.h \
	%D%/idle_release.c %D%/idle_release.h \
	%D%/image_build.c %D%/image_build.h \
	%D%/image_tables.c %D%/image_tables.h \
	%D%/join.cpp %D%/join.h \
	%D%/llvm.c %D%/llvm.h \
	%D%/piece.cpp %D%/piece.h \
	%D%/places.cpp %D%/places.h
endif
