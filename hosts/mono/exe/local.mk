# exe: the program cof-mono

if HOST_MONO
hosts_mono_cof_mono_SOURCES += \
	%D%/main.c \
	%D%/settings.c %D%/settings.h
endif
