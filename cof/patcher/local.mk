# patch: code memory, stubs, sites, slots; new versions in, old ones out

libcof_all_la_SOURCES += \
	%D%/asleep.c \
	%D%/block.c %D%/block.h \
	%D%/codemem.c %D%/codemem.h \
	%D%/copy.c %D%/copy.h \
	%D%/desc.c %D%/desc.h \
	%D%/hole.c %D%/hole.h \
	%D%/insn.h \
	%D%/pad.c %D%/pad.h \
	%D%/patcher.c %D%/patcher.h \
	%D%/publish.c %D%/publish.h \
	%D%/reclaim.c %D%/reclaim.h \
	%D%/record.c %D%/record.h \
	%D%/retire.c %D%/retire.h \
	%D%/scan.c %D%/scan.h %D%/scan_x86_64.c %D%/scanround.c \
	%D%/site.c %D%/site.h \
	%D%/sleeper.c %D%/sleeper.h \
	%D%/slot.c %D%/slot.h \
	%D%/stub.c %D%/stub.h %D%/stub_x86_64.c %D%/trampoline_x86_64.S \
	%D%/switch.c \
	%D%/version.c
