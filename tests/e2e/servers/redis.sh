# redis.sh - rows of e2e_servers.sh: redis
# shellcheck shell=sh disable=SC2154

row_redis_suite() {
	in_copy redis || return
	command -v tclsh >/dev/null || {
		skip "$row" "there is no tclsh"
		return
	}
	under_runtime src/redis-server
	set --
	for unit in unit/type/string unit/multi unit/protocol unit/quit; do
		set -- "$@" --single "$unit"
	done
	passes "$row" ./runtest --clients "$jobs" --tags -slow "$@"
}

# cli WORD...
cli() { ./src/redis-cli -s "$copy/s" "$@"; }

answers() { [ "$(cli ping)" = PONG ]; }

# As /etc/init.d/redis-server does, with work in the daemon and in a child that
# it forks.
row_redis_daemon() {
	in_copy redis || return
	passes "$row.starts" start-stop-daemon --start --pidfile "$copy/pid" \
		--chdir "$copy" --startas "$runtime" -- \
		"$copy/src/redis-server" --daemonize yes \
		--pidfile "$copy/pid" --port 0 --unixsocket "$copy/s" \
		--save "" --enable-debug-command local \
		--logfile "$copy/redis.log" || return
	until_true answers || {
		fail "$row" "no answer" "$(tail -n 5 redis.log)"
		return
	}
	pid=$(cat pid)
	is_under_runtime "$row.host" "$pid"
	within ./src/redis-benchmark -s "$copy/s" -n 100000 -P 16 -r 10000 -q \
		-t set,get,incr,lpush,rpop,sadd,hset,zadd,lrange_100,mset
	cli set kept 42 >/dev/null
	got=$(cli debug reload; cli get kept; cli bgsave)
	if [ "$got" = "OK
42
Background saving started" ]; then
		ok "$row.answers"
	else
		fail "$row.answers" "$got"
	fi
	until_true grep -q 'Background saving terminated with success' \
		redis.log
	passes "$row.stops" start-stop-daemon --stop --retry TERM/600 \
		--pidfile "$copy/pid"
	ends "$row.ends" "$pid"
	if grep -iE 'bug report|crashed|stack trace' redis.log; then
		fail "$row.log"
	fi
}
