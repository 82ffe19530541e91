# memcached.sh - rows of e2e_servers.sh: memcached
# shellcheck shell=sh disable=SC2154

row_memcached_suite() {
	in_copy memcached || return
	command -v prove >/dev/null || {
		skip "$row" "there is no prove"
		return
	}
	under_runtime memcached-debug
	set --
	for t in 64bit basic binary-get cas dash-M flags flush-all getset \
		incrdecr issue_22 item_size_max metaget multiversioning \
		noreply stats unixsocket verbosity daemonize; do
		[ ! -e t/$t.t ] || set -- "$@" t/$t.t
	done
	passes "$row" prove --timer -j "$jobs" "$@"
}

# As /etc/init.d/memcached does: a daemon of four worker threads.
row_memcached_daemon() {
	in_copy memcached || return
	passes "$row.starts" start-stop-daemon --start --pidfile "$copy/pid" \
		--startas "$runtime" -- "$copy/memcached" -d -P "$copy/pid" \
		-t 4 -u "$(id -un)" -s "$copy/s" || return
	until_true test -s pid -a -S s
	pid=$(cat pid)
	is_under_runtime "$row.host" "$pid"
	passes "$row.answers" "$client" memcached s
	passes "$row.stops" start-stop-daemon --stop --retry TERM/600 \
		--pidfile "$copy/pid"
	ends "$row.ends" "$pid"
}
