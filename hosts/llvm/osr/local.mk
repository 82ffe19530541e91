# osr: continuations of loops

if HOST_LLVM
libcofl_la_SOURCES += \
	%D%/osr.c %D%/osr.h \
	%D%/osr_choose.c %D%/osr_choose.h \
	%D%/osr_continue.c %D%/osr_continue.h \
	%D%/osr_demote.c \
	%D%/osr_variable.c
endif
