# hosts/toy: for tests, and for docs/embedding.md

noinst_LTLIBRARIES += libtoy.la
libtoy_la_SOURCES = %D%/toy.c %D%/toy.h
