# optimizer

libcof_all_la_SOURCES +=
