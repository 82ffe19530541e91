# dynlib: the program's libraries, and its names for them; no LLVM

if HOST_LLVM
libcofl_base_la_SOURCES += \
	%D%/dladdr.c %D%/dladdr.h \
	%D%/dynamic.c %D%/dynamic.h \
	%D%/exported_names.c %D%/exported_names.h \
	%D%/exports.c %D%/exports.h \
	%D%/link_names.c %D%/link_names.h \
	%D%/memory_dso.c %D%/memory_dso.h \
	%D%/rpath.c %D%/rpath.h \
	%D%/sigmask.c %D%/sigmask.h \
	%D%/symbol_overrides.c %D%/symbol_overrides.h \
	%D%/tls_names.c %D%/tls_names.h
endif
