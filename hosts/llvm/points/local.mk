# points: where frames of a function can be left for newer code

if HOST_LLVM
libcofl_la_SOURCES += \
	%D%/osr_entry.c %D%/osr_entry.h \
	%D%/osr_mark.c %D%/osr_mark.h \
	%D%/osr_point.c %D%/osr_point.h \
	%D%/osr_sparse.c %D%/osr_sparse.h \
	%D%/osr_turns.c %D%/osr_turns.h \
	%D%/process_words_ir.c %D%/process_words_ir.h
endif
