# program: open a program and run it; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/bitcode_copy.c %D%/bitcode_copy.h \
	%D%/estimate.c %D%/estimate.h \
	%D%/fork_hooks.c %D%/fork_hooks.h \
	%D%/host.h \
	%D%/module.c %D%/module.h \
	%D%/thread.c %D%/thread.h

libcofl_base_la_SOURCES += \
	%D%/bitcode_check.c %D%/bitcode_check.h \
	%D%/bitcode_file.c %D%/bitcode_file.h \
	%D%/prepare.c %D%/prepare.h \
	%D%/program.c %D%/program.h
endif
