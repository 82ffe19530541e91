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

# cof-llvm's copy of jemalloc. It has no constructor, so it begins at the first
# call, and nobody else finds its functions.
if OWN_JEMALLOC
hosts_llvm_cof_llvm_CPPFLAGS += -DCOF_OWN_JEMALLOC
COFL_JEMALLOC = %D%/libjemalloc_own.a
jemalloc_calls = mallocx rallocx sallocx dallocx mallctl
CLEANFILES += %D%/libjemalloc_own.a
hosts_llvm_cof_llvm_LDFLAGS += -Wl,--exclude-libs=libjemalloc_own.a
%D%/libjemalloc_own.a: $(JEMALLOC_PIC)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(LD) -r -o $@.o $(jemalloc_calls:%=-u %) $(JEMALLOC_PIC) && \
	$(OBJCOPY) $(jemalloc_calls:%=--keep-global-symbol=%) \
		--keep-global-symbol=malloc_conf \
		--rename-section .bss=.lbss \
		--redefine-sym pthread_atfork=jemalloc_atfork \
		--redefine-sym pthread_key_create=jemalloc_key_create \
		--remove-section=.init_array $@.o && \
	rm -f $@ && $(AR) cr $@ $@.o && rm -f $@.o
else
COFL_JEMALLOC = $(JEMALLOC_LIBS)
endif
else
COFL_JEMALLOC = $(JEMALLOC_LIBS)
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
