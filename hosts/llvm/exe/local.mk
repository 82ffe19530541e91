# exe: the program cof-llvm, and what it stands in front of

if HOST_LLVM
hosts_llvm_cof_llvm_SOURCES += \
	%D%/code_writes.c %D%/code_writes.h \
	%D%/command_line.c %D%/command_line.h \
	%D%/exec_self.c %D%/exec_self.h \
	%D%/given_stack.c %D%/given_stack.h \
	%D%/interpose.c %D%/interpose.h \
	%D%/main.c \
	%D%/memory_lock.c %D%/memory_lock.h \
	%D%/phdr.c \
	%D%/proc_self_exe.c %D%/proc_self_exe.h \
	%D%/rtld_next.h \
	%D%/signal_stack.c %D%/signal_stack.h \
	%D%/stack.c %D%/stack.h \
	%D%/stdio.c \
	%D%/syscall.c %D%/syscall.h %D%/syscall_x86_64.S
endif
