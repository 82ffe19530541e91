# strip.sh - rows of e2e_linker.sh: programs without symbols
# shellcheck shell=sh disable=SC2154

row_strip() {
	for option in -s -Wl,-s -Wl,--strip-all -Wl,-z,now,-s,-z,relro \
		'-Xlinker -s' @strip.rsp; do
		echo "-s" >strip.rsp
		row=strip$(echo "$option" | tr -c 'a-z\n' _)
		# shellcheck disable=SC2086
		link two1.c two2.c -Wl,-z,muldefs $option &&
		prints '1 1 21' || continue
		if readelf -SW p | grep -q symtab; then
			fail "$row" "it has symbols"
			continue
		fi
		kept
	done
}

row_strip_debug() {
	link two1.c two2.c -g -Wl,-z,muldefs -Wl,-S && prints '1 1 21' ||
		return
	if readelf -SW p | grep -q 'debug' ||
	   ! readelf -SW p | grep -q symtab; then
		fail "$row" "$(readelf -SW p | grep -c debug) sections"
		return
	fi
	kept
}

# Stripped afterwards.
row_strip_program() {
	link two1.c two2.c -Wl,-z,muldefs && strip p && prints '1 1 21' && kept
}

row_strip_objects() {
	"$cof_cc" -O2 -c two1.c two2.c && strip -g two1.o
	link two1.o two2.o -Wl,-z,muldefs && prints '1 1 21' && refused strip
}

row_hidden_strip() {
	echo '-s' >linker.rsp
	link two1.c two2.c -Wl,-z,muldefs -Wl,@linker.rsp && prints '1 1 21' &&
	refused strip
}

row_static() {
	"$cof_cc" -O2 -static uses_foo.c wrapped.c -o p 2>cc.err || {
		skip "$row" "nothing can be linked statically"
		return
	}
	as_natively || return
	if lines_are got.full.err 'it is linked statically' runtime; then
		ok "$row"
	else
		fail "$row" "$(head -n 3 got.full.err)"
	fi
}
