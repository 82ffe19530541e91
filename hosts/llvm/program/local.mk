# program: a program and its methods, and the module with LLVM; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/bitcode_copy.c %D%/bitcode_copy.h \
	%D%/estimate.c %D%/estimate.h \
	%D%/fork_hooks.c %D%/fork_hooks.h \
	%D%/module.c %D%/module.h \
	%D%/thread.c %D%/thread.h
endif
