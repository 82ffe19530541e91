# The Mono host: .NET programs, on Debian's Mono 6.8.
#
# cof-mono is a program, and `runtime` becomes it, so that neither host's
# libraries are in the other's process. It contains libcof, so each start loads
# one library less. It hides its SQLite, or a library of the program would find
# that in place of its own.

if HOST_MONO
pkglibexec_PROGRAMS += %D%/cof-mono
%C%_cof_mono_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D% -isystem $(MONO_INCLUDE)
%C%_cof_mono_LDFLAGS  = $(AM_LDFLAGS) -export-dynamic \
	-Wl,--wrap=mono_jit_info_get_method \
	-Wl,--wrap=mono_code_manager_destroy \
	-Wl,--wrap=mono_threads_abort_appdomain_threads \
	-Wl,--wrap=mono_arch_patch_callsite \
	-Wl,--wrap=mono_get_trampoline_func \
	-Wl,--wrap=mono_debug_lookup_source_location \
	-Wl,--wrap=mono_seq_point_find_prev_by_native_offset \
	-Wl,--wrap=mono_seq_point_info_free \
	-Wl,--wrap=mono_runtime_class_init_full \
	-Wl,--wrap=mono_thread_info_sleep -Wl,--wrap=mmap \
	-Wl,--wrap=mono_thread_info_safe_suspend_and_run \
	-Wl,--wrap=ves_icall_System_Threading_Thread_GetStackTraces \
	-Wl,--wrap=mono_g_hash_table_foreach \
	-Wl,--wrap=mono_gc_is_finalizer_internal_thread \
	-Wl,--wrap=mono_profiler_raise_thread_started \
	-Wl,--wrap=mono_profiler_raise_thread_stopping \
	-Wl,--wrap=mono_profiler_raise_thread_stopped \
	-Wl,--wrap=mono_profiler_raise_runtime_shutdown_begin \
	-Wl,--wrap=mono_runtime_shutdown_stat_profiler \
	-Wl,--exclude-libs=libsqlite3.a
%C%_cof_mono_LDADD    = libcof-all.la $(MONO_ARCHIVE) -lm -lpthread -ldl -lrt
%C%_cof_mono_SOURCES  =

endif
