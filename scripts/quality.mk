# quality.mk - checks of the code itself
#
#	make tidy	clang-tidy; of TIDY_OF="cof/history cof/memory/mem.c"
#	make coverage	the lines and branches that the unit and integration
#			tests run, or those of
#			COVERAGE_TESTS="tests/cof/base/test_ring"
#
#	scripts/loaded.sh -b 4 make check	tests that rest on time
#
# coverage builds in build-coverage, with gcc and without optimization. A second
# call builds only what has changed.
EXTRA_DIST += .clang-format .clang-tidy .editorconfig \
	%D%/coverage.py %D%/loaded.sh %D%/tidy.sh
TIDY_OF =
COVERAGE_TESTS = $$(filter-out %/test_house.sh %/test_bench.sh,$\
	$$(filter $$(unit_tests) $$(integration_tests),$$(all_tests)))
COVERAGE_CONFIGURE =
coverage_flags = -O0 -g --coverage -fprofile-update=atomic
.PHONY: tidy coverage
tidy: all
	@$(srcdir)/%D%/tidy.sh $(TIDY_OF)

coverage:
	@mkdir -p build-coverage
	cd build-coverage && { test -e Makefile || \
	  $(abs_srcdir)/configure --enable-debug $(COVERAGE_CONFIGURE) \
	    CC='$(CC)' CXX='$(CXX)' CFLAGS='$(coverage_flags)' \
	    CXXFLAGS='$(coverage_flags)' >/dev/null; }
	-find build-coverage -name '*.gcda' -delete
	cd build-coverage && $(MAKE) check TESTS=
	-cd build-coverage && $(MAKE) -k check-TESTS TESTS='$(COVERAGE_TESTS)'
	@$(srcdir)/%D%/coverage.py build-coverage $(srcdir)
