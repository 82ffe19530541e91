# The LLVM host: programs that are LLVM bitcode. Not installed as libraries for
# others: cof-llvm is their user.
#
#	libcofl-base.la   what cof-llvm is linked with: loader, images, stand-ins
#	libcofl.la        what needs LLVM; in the module libcof-llvm.so, which
#	                  calls the base, and libcof, in cof-llvm that loaded it

if HOST_LLVM
noinst_LTLIBRARIES += libcofl-base.la libcofl.la

cofl_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/%D% $(LLVM_CPPFLAGS)

# Visible: the module finds them in the executable.
libcofl_base_la_CFLAGS   = $(AM_CFLAGS) -fvisibility=default
libcofl_base_la_CPPFLAGS = $(cofl_cppflags) -DPKGLIBDIR='"$(pkglibdir)"'
libcofl_base_la_LIBADD   = -lgcc_s -lstdc++ -ldl
libcofl_base_la_SOURCES  = \
	%D%/bodies.c %D%/bodies.h \
	%D%/cache.c %D%/cache.h \
	%D%/cofl.h \
	%D%/delivery.c %D%/delivery.h \
	%D%/dynamic.c %D%/dynamic.h \
	%D%/estimate.c %D%/estimate.h \
	%D%/exports.c %D%/exports.h \
	%D%/fatal.c %D%/fatal.h \
	%D%/file.c %D%/file.h \
	%D%/folder.c %D%/folder.h \
	%D%/forks.c %D%/forks.h \
	%D%/host.h \
	%D%/image.c %D%/image.h \
	%D%/imageload.c %D%/imageload.h \
	%D%/launch.c %D%/launch.h \
	%D%/kept.c %D%/kept.h \
	%D%/layout.c %D%/layout.h \
	%D%/loader.c %D%/loader.h \
	%D%/module.c %D%/module.h \
	%D%/naming.c %D%/naming.h \
	%D%/object.c %D%/object.h \
	%D%/place.c %D%/place.h \
	%D%/point.c %D%/point.h \
	%D%/profile.c %D%/profile.h \
	%D%/program.c \
	%D%/programload.c %D%/programload.h \
	%D%/room.c %D%/room.h \
	%D%/rpath.c %D%/rpath.h \
	%D%/scope.c %D%/scope.h \
	%D%/section.c %D%/section.h \
	%D%/shard.c %D%/shard.h \
	%D%/shared.c %D%/shared.h \
	%D%/shelf.c %D%/shelf.h \
	%D%/shelving.c %D%/shelving.h \
	%D%/support/guest_lock.c %D%/support/guest_lock.h \
	%D%/sigmask.c %D%/sigmask.h \
	%D%/single.c %D%/single.h \
	%D%/special.c %D%/special.h \
	%D%/startup.c %D%/startup.h \
	%D%/support/tuning.c %D%/support/tuning.h %D%/support/tuning.def \
	%D%/symbols.c %D%/symbols.h \
	%D%/thread.c %D%/thread.h \
	%D%/tls.c %D%/tls.h \
	%D%/tlsnames.c %D%/tlsnames.h \
	%D%/unwind.h \
	%D%/verdicts.c %D%/verdicts.h \
	%D%/whose.c %D%/whose.h

libcofl_la_CPPFLAGS = $(cofl_cppflags)
libcofl_la_CXXFLAGS = $(AM_CXXFLAGS) -std=c++17 -fno-exceptions -fno-rtti
libcofl_la_LIBADD   = $(LLVM_LIBS)
libcofl_la_SOURCES  = \
	%D%/annotate.c %D%/annotate.h \
	%D%/attribute.c %D%/attribute.h \
	%D%/body.c %D%/body.h \
	%D%/build.c %D%/build.h \
	%D%/callbacks.c %D%/callbacks.h \
	%D%/callees.c %D%/callees.h \
	%D%/clone.c %D%/clone.h %D%/constant.c \
	%D%/cold.c %D%/cold.h \
	%D%/copy.c %D%/copy.h \
	%D%/count.c %D%/count.h \
	%D%/counters.c %D%/counters.h \
	%D%/data.c %D%/data.h \
	%D%/gate.c %D%/gate.h \
	%D%/graph.c %D%/graph.h \
	%D%/group.c %D%/group.h \
	%D%/ir/ifunc.h %D%/ir/instruction.h \
	%D%/ir/llvm_shim.cpp %D%/ir/llvm_shim.h \
	%D%/imagebuild.c %D%/imagebuild.h \
	%D%/imagetables.c %D%/imagetables.h \
	%D%/insert.c %D%/insert.h \
	%D%/label.c %D%/label.h \
	%D%/libcall.c %D%/libcall.h \
	%D%/list.c %D%/list.h \
	%D%/llvm.c %D%/llvm.h \
	%D%/loops.c %D%/loops.h \
	%D%/map.c %D%/map.h \
	%D%/onstack.h %D%/onstack_x86_64.S \
	%D%/parts.c %D%/parts.h \
	%D%/osr.c %D%/osr.h \
	%D%/osr_continue.c %D%/osr_continue.h \
	%D%/osr_demote.c %D%/osr_image.c \
	%D%/osr_mark.c %D%/osr_mark.h \
	%D%/points/osr_image.h %D%/points/osr_point.h \
	%D%/osr_point.c %D%/osr_variable.c \
	%D%/quick.c %D%/quick.h \
	%D%/sink.c %D%/sink.h \
	%D%/split.c %D%/split.h \
	%D%/users.h \
	%D%/recall.c %D%/recall.h \
	%D%/rest.c %D%/rest.h

pkglib_LTLIBRARIES += libcof-llvm.la
libcof_llvm_la_SOURCES =
libcof_llvm_la_LIBADD  = libcofl.la
libcof_llvm_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared

# What `runtime` becomes for such a program. Libcof is inside: one library less to
# load in each start. Its SQLite is hidden, as in cof-mono.
pkglibexec_PROGRAMS += %D%/cof-llvm
%C%_cof_llvm_SOURCES  = %D%/main.c \
	%D%/allocator.h \
	%D%/interpose.c %D%/interpose.h \
	%D%/ownpath.c %D%/ownpath.h \
	%D%/next.h \
	%D%/phdr.c \
	%D%/stack.c %D%/stack.h \
	%D%/stdio.c
if OWN_MALLOC
%C%_cof_llvm_SOURCES += %D%/allocator.c %D%/forking.c %D%/forking.h \
	%D%/jemalloc.c \
	%D%/libc_heap.c %D%/libc_heap.h \
	%D%/magazine.c %D%/magazine.h \
	%D%/newdelete.c \
	%D%/replaced.c %D%/replaced.h
else
%C%_cof_llvm_SOURCES += %D%/allocator_none.c
endif
EXTRA_DIST += %D%/allocator.c %D%/allocator_none.c %D%/forking.c \
	%D%/forking.h %D%/jemalloc.c \
	%D%/libc_heap.c %D%/libc_heap.h %D%/magazine.c %D%/magazine.h \
	%D%/newdelete.c %D%/replaced.c %D%/replaced.h
%C%_cof_llvm_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D% $(JEMALLOC_CFLAGS)
%C%_cof_llvm_LDFLAGS  = $(AM_LDFLAGS) -export-dynamic -Wl,--exclude-libs=libsqlite3.a
# libgcc_s first: unwinding has one owner in the process. libstdc++ before jemalloc,
# which has operators new and delete as well.
%C%_cof_llvm_LDADD    = libcofl-base.la libcof-all.la -lgcc_s -lstdc++ $(JEMALLOC_LIBS) -lm -ldl
endif
