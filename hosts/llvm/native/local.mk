# native: the host of a program that runs by itself; no LLVM

if HOST_LLVM
# What tests link.
noinst_LTLIBRARIES += libcofl-native.la
libcofl_native_la_CPPFLAGS = $(cofl_cppflags)
libcofl_native_la_SOURCES  = \
	%D%/code_owners.c %D%/code_owners.h \
	%D%/entry.h %D%/entry_x86_64.c \
	%D%/executable.c %D%/executable.h \
	%D%/names.c %D%/names.h \
	%D%/points.c %D%/points.h \
	%D%/text_page.c %D%/text_page.h \
	%D%/virtual_calls.c %D%/virtual_calls.h \
	%D%/vtables.c %D%/vtables.h

# Loaded first, since constructors of libraries call it.
pkglib_LTLIBRARIES += libcof-libc.la
libcof_libc_la_CPPFLAGS = $(cofl_cppflags)
libcof_libc_la_LDFLAGS  = $(AM_LDFLAGS) -module -avoid-version -shared \
	-Wl,-z,now
libcof_libc_la_SOURCES  = \
	%D%/libc.c %D%/libc.h \
	%D%/namespace_malloc.c %D%/namespace_malloc.h \
	%D%/stack.c %D%/stack.h

pkglib_LTLIBRARIES += libcof-native.la libcof-llvm.la
libcof_native_la_CPPFLAGS = $(cofl_cppflags)
libcof_native_la_CFLAGS   = $(AM_CFLAGS)
libcof_native_la_LDFLAGS  = $(AM_LDFLAGS) -module -avoid-version -shared \
	-Wl,-z,now -Wl,--exclude-libs=libsqlite3.a
libcof_native_la_LIBADD   = libcof-libc.la libcofl-native.la libcofl-common.la \
	libcof-all.la
libcof_native_la_SOURCES  = \
	%D%/methods.c %D%/methods.h \
	%D%/native.c %D%/native.h \
	hosts/llvm/preload/services.h

libcof_llvm_la_SOURCES =
libcof_llvm_la_LIBADD  = libcof-libc.la libcofl.la $(LLVM_LIBS) \
	libcof-native.la
# Without its other names the linker leaves out what nobody calls.
libcof_llvm_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-export-symbols-regex '^cofl_module_llvm$$' $(LLVM_LDFLAGS)
if LLVM_STATIC
libcof_llvm_la_SOURCES += hosts/llvm/module/compression.c
endif
endif
