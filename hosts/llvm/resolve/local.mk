# resolve: what the linker decided, read from an executable; no LLVM

if HOST_LLVM
# With join, in cof-join. What tests link, too.
noinst_LTLIBRARIES += libcofl-join.la
libcofl_join_la_CPPFLAGS = $(cofl_cppflags)
libcofl_join_la_CXXFLAGS = $(libcofl_la_CXXFLAGS)
libcofl_join_la_LIBADD   = libcofl-common.la
libcofl_join_la_SOURCES  = \
	%D%/definitions.c %D%/definitions.h \
	%D%/elf_symbols.c %D%/elf_symbols.h \
	%D%/elf_versions.c %D%/elf_versions.h \
	%D%/final_names.c %D%/final_names.h \
	%D%/places.c %D%/places.h \
	%D%/plt.c %D%/plt.h \
	%D%/references.c %D%/references.h \
	%D%/resolution.c %D%/resolution.h \
	%D%/wrapped.c %D%/wrapped.h
endif
