# malloc: the allocator of the program's process

if HOST_LLVM
hosts_llvm_cof_llvm_SOURCES += %D%/allocator.h
if OWN_MALLOC
hosts_llvm_cof_llvm_SOURCES += \
	%D%/allocator.c \
	%D%/fork_in_handler.c %D%/fork_in_handler.h \
	%D%/jemalloc.c \
	%D%/libc_heap.c %D%/libc_heap.h \
	%D%/magazine.c %D%/magazine.h \
	%D%/newdelete.c \
	%D%/replaced.c %D%/replaced.h
else
hosts_llvm_cof_llvm_SOURCES += %D%/allocator_none.c
endif
EXTRA_DIST += \
	%D%/allocator.c \
	%D%/allocator_none.c \
	%D%/fork_in_handler.c %D%/fork_in_handler.h \
	%D%/jemalloc.c \
	%D%/libc_heap.c %D%/libc_heap.h \
	%D%/magazine.c %D%/magazine.h \
	%D%/newdelete.c \
	%D%/replaced.c %D%/replaced.h
endif
