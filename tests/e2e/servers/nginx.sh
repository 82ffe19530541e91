# nginx.sh - rows of e2e_servers.sh: nginx
# shellcheck shell=sh disable=SC2154

# configure WORD: two workers, whose answers have the word
configure() {
	mkdir -p prefix/logs prefix/html
	[ -e prefix/html/index.html ] ||
		echo "<html></html>" >prefix/html/index.html
	cat >prefix/nginx.conf <<-EOT
	worker_processes 2;
	pid $copy/prefix/nginx.pid;
	error_log $copy/prefix/logs/error.log notice;
	events { worker_connections 64; }
	http {
		access_log $copy/prefix/logs/access.log;
		gzip on;
		server {
			listen unix:$copy/prefix/s;
			location / {
				root $copy/prefix/html;
				add_header X-Word $1;
			}
			location ~ ^/again/(.*)\$ { rewrite ^ /\$1 last; }
		}
	}
	EOT
	chmod -R a+rX prefix
}

word_is() { "$client" get prefix/s /again/ | grep -q "^X-Word: $1"; }

# worker_of PID: a child of the master
worker_of() { cut -d' ' -f1 "/proc/$1/task/$1/children"; }
has_worker() { [ -n "$(worker_of "$1")" ]; }

# As /etc/init.d/nginx does: a master and workers; a new configuration, and a
# new program by USR2. No request fails meanwhile.
row_nginx_daemon() {
	in_copy nginx || return
	configure first
	passes "$row.starts" start-stop-daemon --start \
		--pidfile "$copy/prefix/nginx.pid" --startas "$runtime" -- \
		"$copy/objs/nginx" -p "$copy/prefix" -c nginx.conf || return
	until_true word_is first || {
		fail "$row" "no answer" "$(tail -n 5 prefix/logs/error.log)"
		return
	}
	old=$(cat prefix/nginx.pid)
	is_under_runtime "$row.host" "$old"
	rm -f stop
	timeout "$seconds" "$client" http prefix/s stop >requests 2>&1 &
	asking=$!
	sleep 1

	configure second
	kill -HUP "$old"
	until_true word_is second
	sleep 0.5

	configure third
	cp objs/nginx objs/nginx.new && mv objs/nginx.new objs/nginx
	kill -USR2 "$old"
	until_true test -s prefix/nginx.pid.oldbin
	until_true test -s prefix/nginx.pid
	new=$(cat prefix/nginx.pid)
	until_true has_worker "$new"
	kill -WINCH "$old"
	until_true word_is third
	kill -QUIT "$old"
	ends "$row.old_ends" "$old"
	is_under_runtime "$row.new_host" "$new"
	is_under_runtime "$row.new_worker" "$(worker_of "$new")"
	sleep 0.5

	: >stop
	if wait $asking; then
		ok "$row.requests"
	else
		fail "$row.requests" "$(head -n 20 requests)"
	fi
	passes "$row.stops" start-stop-daemon --stop --retry QUIT/600 \
		--pidfile "$copy/prefix/nginx.pid"
	ends "$row.ends" "$new"
	if grep -E '\[(alert|crit|emerg)\]' prefix/logs/error.log; then
		fail "$row.log"
	fi
}
