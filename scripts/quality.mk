# What looks at the code itself.
#
#	make tidy [TIDY_OF="cof/history cof/memory/mem.c"]	bugs that clang-tidy sees
#	make coverage [COVERAGE_TESTS="tests/cof/base/test_ring ..."]	lines that tests run
#
# coverage builds in a folder of its own, build-coverage, with gcc and without
# optimization, and runs the unit tests there; a second call only what is new.
EXTRA_DIST += .clang-format .clang-tidy .editorconfig \
	%D%/coverage.py %D%/tidy.sh
TIDY_OF =
COVERAGE_TESTS = $(check_PROGRAMS)
COVERAGE_CONFIGURE =
.PHONY: tidy coverage
tidy: all
	@$(srcdir)/%D%/tidy.sh $(TIDY_OF)

coverage:
	@mkdir -p build-coverage
	cd build-coverage && { test -e Makefile || \
	  $(abs_srcdir)/configure --enable-debug $(COVERAGE_CONFIGURE) \
	    CC='$(CC)' CXX='$(CXX)' CFLAGS='-O0 -g --coverage -fprofile-update=atomic' \
	    CXXFLAGS='-O0 -g --coverage -fprofile-update=atomic' >/dev/null; }
	-find build-coverage -name '*.gcda' -delete
	-cd build-coverage && $(MAKE) $(COVERAGE_TESTS) && \
	  $(MAKE) check-TESTS TESTS='$(COVERAGE_TESTS)'
	@$(srcdir)/%D%/coverage.py build-coverage $(srcdir)
