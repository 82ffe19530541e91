# wide_builds.sh - how the programs of bench/wide are built; sourced by
# builds.sh
#
# They are programs that no constant of libcof's was ever tuned on. Each is
# built by its own makefile. $cc, $cxx and $flags are the compilers and their
# options; what a package adds to them on its own stays.
# shellcheck shell=sh
# shellcheck disable=SC2154

wide_names() {
	echo bash bc bison brotli cadical dash duktape expat flac flex glpk \
		grep groff gzip indent jimtcl lame libjpeg libwebp libxml2 \
		lz4 lzip m4 mawk nasm nettle ocaml opus pcre2 perl potrace \
		python ruby sed tcc tcl tinyscheme x264 xz zopfli
}

wide_package_of() {
	case " $(wide_names) " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
	case $1 in
	libjpeg) echo libjpeg-turbo ;;
	python) echo python3.11 ;;
	ruby) echo ruby3.1 ;;
	tcl) echo tcl8.6 ;;
	xz) echo xz-utils ;;
	*) echo "$1" ;;
	esac
}

# by_configure OPTION...
by_configure() {
	./configure CC="$cc" CXX="$cxx" CFLAGS="$flags" CXXFLAGS="$flags" \
		LDFLAGS="$link_flags" AR="$ar" RANLIB="$ranlib" NM="$nm" "$@"
}
# Debian's patches are newer than what autoconf and the like made of them.
by_make() {
	make -j"$jobs" AUTOCONF=true AUTOMAKE=true ACLOCAL=true \
		AUTOHEADER=true MAKEINFO=true "$@"
}
by_flags() {
	by_make CC="$cc" CXX="$cxx" CFLAGS="$flags" CXXFLAGS="$flags" \
		LDFLAGS="$link_flags" AR="$ar" RANLIB="$ranlib" "$@"
}

# In the folder build; without a build type that would add options.
by_cmake() {
	cmake -S . -B build -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
		-DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
		-DCMAKE_EXE_LINKER_FLAGS="$link_flags" \
		-DCMAKE_AR="$(command -v "$ar")" \
		-DCMAKE_RANLIB="$(command -v "$ranlib")" "$@"
}

configure_bash() { by_configure --disable-nls --without-bash-malloc; }
make_bash() { by_make bash; }

configure_bc() { by_configure; }
make_bc() { by_make -C lib && by_make -C bc; }

configure_bison() { by_configure --disable-nls; }
make_bison() {
	# Headers that only `all` would make, with the documentation.
	# shellcheck disable=SC2016
	printf 'include Makefile\nbuilt: %s\n' \
		'$(filter lib/% src/%,$(BUILT_SOURCES))' >built.mk &&
		by_make -f built.mk built pkgdatadir="$PWD/data" &&
		by_make src/bison pkgdatadir="$PWD/data"
}

configure_brotli() { :; }
make_brotli() { by_flags brotli; }

# Its configure chooses the level by the compiler's name.
configure_cadical() { mkdir build; }
make_cadical() {
	# shellcheck disable=SC2016,SC2046,SC2086
	find src -name '*.cpp' ! -name mobical.cpp -print0 |
		xargs -0 -P "$jobs" -I '{}' sh -c '
		"$@" -DNBUILD -c "$0" -o build/$(basename "$0").o' '{}' \
		"$cxx" $flags &&
	"$cxx" $flags $link_flags build/*.o -o build/cadical
}

# Debian's patches add files to its Makefile.am.
configure_dash() { autoreconf -fi && by_configure; }
make_dash() { by_make; }

configure_duktape() { :; }
# Its makefile says -Os, and takes what comes later.
make_duktape() {
	by_make -f Makefile.cmdline CC="$cc" LDFLAGS="$link_flags" \
		CCLIBS="$flags -lm" duk
}

configure_expat() {
	[ ! -d expat ] || cd expat || return
	[ -x configure ] || ./buildconf.sh
	by_configure --disable-shared --without-docbook --without-tests \
		--without-examples
}
make_expat() {
	[ ! -d expat ] || cd expat || return
	by_make -C lib && by_make -C xmlwf
}

configure_flac() {
	by_configure --disable-ogg --disable-asm-optimizations \
		--disable-shared --disable-cpplibs --disable-doxygen-docs
}
make_flac() { by_make -C src/libFLAC && by_make -C src; }

configure_flex() { by_configure --disable-nls --disable-shared; }
make_flex() { by_make -C src flex; }

configure_glpk() { by_configure --disable-shared; }
make_glpk() { by_make -C src && by_make -C examples glpsol; }

configure_grep() { by_configure --disable-nls --disable-perl-regexp; }
make_grep() { by_make -C lib && by_make -C src; }

configure_groff() { by_configure --without-x --without-doc; }
# troff, and the fonts of a terminal.
make_groff() {
	# Headers that only `all` would make.
	# shellcheck disable=SC2016
	printf 'include Makefile\nbuilt: %s\n' \
		'$(filter lib/%,$(BUILT_SOURCES))' >built.mk &&
		by_make -f built.mk built &&
		by_make troff font/devascii/DESC font/devascii/R \
			font/devascii/I font/devascii/B font/devascii/BI
}

configure_gzip() { by_configure; }
make_gzip() { by_make; }

# It forgets a header.
configure_indent() {
	by_configure --disable-nls CPPFLAGS='-include locale.h'
}
# Without its -Werror.
make_indent() { by_make -C src indent AM_CFLAGS=; }

configure_jimtcl() { CFLAGS=$flags CC=$cc LDFLAGS=$link_flags ./configure; }
make_jimtcl() { by_make jimsh; }

configure_lame() {
	by_configure --disable-nasm --disable-shared --disable-gtktest
}
make_lame() { by_make; }

configure_libjpeg() { by_cmake -DENABLE_SHARED=0 -DWITH_SIMD=0; }
make_libjpeg() { by_make -C build cjpeg-static; }

configure_libwebp() {
	by_configure --disable-shared --disable-sse2 --disable-sse4.1 \
		--disable-threading --disable-png --disable-jpeg \
		--disable-tiff --disable-gif --disable-gl --disable-sdl
}
make_libwebp() {
	by_make -C sharpyuv && by_make -C src && by_make -C imageio &&
		by_make -C examples cwebp
}

configure_libxml2() {
	[ -x configure ] || NOCONFIGURE=1 ./autogen.sh
	by_configure --disable-shared --without-python --without-lzma \
		--without-zlib --without-icu --without-readline
}
make_libxml2() { by_make libxml2.la && by_make xmllint; }

configure_lz4() { :; }
make_lz4() {
	by_flags -C lib liblz4.a &&
		by_flags -C programs lz4 LDFLAGS="$link_flags -L../lib"
}

configure_lzip() {
	./configure CXX="$cxx" CXXFLAGS="$flags" LDFLAGS="$link_flags"
}
make_lzip() { by_make; }

configure_m4() { by_configure; }
make_m4() { by_make -C lib && by_make -C src m4; }

configure_mawk() { by_configure; }
make_mawk() { by_make mawk; }

configure_nasm() { by_configure; }
make_nasm() { by_make nasm; }

configure_nettle() {
	by_configure --disable-shared --disable-assembler --disable-openssl \
		--disable-public-key --disable-documentation
}
make_nettle() { by_make libnettle.a && by_make -C tools nettle-pbkdf2; }

# Only what runs bytecode: the compiler is there as bytecode.
configure_ocaml() {
	by_configure --disable-shared --disable-native-compiler \
		--disable-debugger --disable-ocamldoc --disable-ocamltest
}
make_ocaml() { by_make -C runtime ocamlrun; }

configure_opus() {
	by_configure --disable-shared --disable-asm --disable-rtcd \
		--disable-intrinsics --disable-doc
}
make_opus() { by_make opus_demo; }

configure_pcre2() { by_configure --disable-shared; }
make_pcre2() { by_make pcre2grep; }

configure_perl() {
	./Configure -des -Dcc="$cc" -Doptimize="$flags" \
		-Dldflags="$link_flags" -Dar="$ar" -Dusedevel -Dnoextensions=all
}
make_perl() { by_make perl; }

configure_potrace() { by_configure; }
make_potrace() { by_make; }

# -O3 is what it says itself; -O2 must not take its place.
configure_python() {
	by_configure --without-ensurepip CFLAGS="${flags#-O2}"
}
# With the file that tells it where its library is.
make_python() { by_make python pybuilddir.txt; }

configure_ruby() {
	by_configure --disable-install-doc --disable-jit-support \
		--disable-yjit --with-out-ext=+ --with-baseruby=no
}
make_ruby() { by_make miniruby; }

configure_sed() { by_configure --disable-nls --disable-i18n; }
make_sed() { by_make; }

configure_tcc() {
	./configure --cc="$cc" --ar="$ar" --extra-cflags="$flags" \
		--extra-ldflags="$link_flags"
}
make_tcc() { by_make tcc; }

configure_tcl() {
	cd unix && by_configure --disable-shared
}
make_tcl() { cd unix && by_make tclsh; }

configure_tinyscheme() { :; }
make_tinyscheme() {
	by_make -f makefile CC="$cc" scheme DEBUG="$flags $link_flags \
		-DInitFile='\"$PWD/init.scm\"'"
}

# With -ffast-math the output is not the same with every compiler.
configure_x264() {
	CC="$cc" AR="$ar" RANLIB="$ranlib" ./configure --disable-asm \
		--disable-opencl --disable-thread --disable-lavf \
		--disable-swscale --disable-ffms --disable-gpac \
		--disable-lsmash --disable-avs \
		--extra-cflags="$flags -fno-fast-math" \
		--extra-ldflags="$link_flags"
}
make_x264() { by_make x264; }

configure_xz() {
	by_configure --disable-shared --disable-nls --disable-doc
}
make_xz() { by_make; }

configure_zopfli() { :; }
make_zopfli() { by_flags zopfli; }
