# count: versions that count how they run

if HOST_LLVM
libcofl_la_SOURCES += \
	%D%/chords.c %D%/chords.h \
	%D%/count.c %D%/count.h \
	%D%/insert.c %D%/insert.h
endif
