# link: objects are placed, bound and given symbols; no LLVM

if HOST_LLVM
libcofl_common_la_SOURCES += \
	%D%/layout.c %D%/layout.h \
	%D%/loader.c %D%/loader.h \
	%D%/object.c %D%/object.h \
	%D%/osr_points.c %D%/osr_points.h \
	%D%/process_words.h \
	%D%/section_placement.c %D%/section_placement.h \
	%D%/symbols.c %D%/symbols.h \
	%D%/unwind_tables.c %D%/unwind_tables.h
endif
