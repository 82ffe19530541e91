# ir: copy, clone, read and change bitcode

if HOST_LLVM
libcofl_la_SOURCES += \
	%D%/attribute.h \
	%D%/blockaddress.c %D%/blockaddress.h \
	%D%/body.c %D%/body.h \
	%D%/clone.c %D%/clone.h \
	%D%/clone_constant.c \
	%D%/copy.c %D%/copy.h %D%/copy_machine.c \
	%D%/frame.c %D%/frame.h \
	%D%/instruction.h \
	%D%/libcall.c %D%/libcall.h \
	%D%/list.c %D%/list.h \
	%D%/llvm_shim.cpp %D%/llvm_shim.h \
	%D%/loops.cpp %D%/loops.h \
	%D%/mixed_options.cpp %D%/mixed_options.h \
	%D%/sink.cpp %D%/sink.h \
	%D%/vtable_compare.c %D%/vtable_compare.h
endif
