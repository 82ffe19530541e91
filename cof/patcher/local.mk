# patcher

libcof_all_la_SOURCES +=
