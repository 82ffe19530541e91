# patcher: stubs, sites and slots; a version becomes current

libcof_all_la_SOURCES += \
	%D%/counting_thunk.c %D%/counting_thunk.h \
	%D%/direct_entry.c %D%/direct_entry.h \
	%D%/left_alone.c %D%/left_alone.h \
	%D%/method_unload.c %D%/method_unload.h \
	%D%/patcher.c %D%/patcher.h \
	%D%/publish.c %D%/publish.h \
	%D%/retire.c %D%/retire.h \
	%D%/site.c %D%/site.h \
	%D%/slot.c %D%/slot.h \
	%D%/stub.c %D%/stub.h \
	%D%/stub_stack.c %D%/stub_stack.h \
	%D%/stub_trampoline_x86_64.S \
	%D%/stub_x86_64.c \
	%D%/switch.c \
	%D%/version_desc.c %D%/version_desc.h \
	%D%/version_record.c %D%/version_record.h
