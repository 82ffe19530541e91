# module: the face of libcof-llvm.so

if HOST_LLVM
libcofl_la_SOURCES += \
	cof/base/onstack.h cof/base/onstack_x86_64.S \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/copy_pool.c %D%/copy_pool.h \
	%D%/drop_pages.c %D%/drop_pages.h \
	%D%/idle_release.c %D%/idle_release.h \
	%D%/llvm.c %D%/llvm.h
endif
