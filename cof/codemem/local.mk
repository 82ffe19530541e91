# codemem: code memory, mapped twice, and its free extents

libcof_all_la_SOURCES += \
	%D%/block.c %D%/block.h \
	%D%/code_pages.c %D%/code_pages.h \
	%D%/code_range.c %D%/code_range.h \
	%D%/codemem.c %D%/codemem.h \
	%D%/free_extents.c %D%/free_extents.h \
	%D%/insn.h
