# postgresql.sh - rows of e2e_servers.sh: PostgreSQL
# shellcheck shell=sh disable=SC2154

# Words before a command: PostgreSQL does not run as root. In a name space of
# users root is nobody, and can read what it could.
user=
[ "$(id -u)" -ne 0 ] ||
	user='unshare --user --map-user=65534 --map-group=65534'

# initdb, then the regression tests; a process for each connection.
row_postgresql_check() {
	$user true 2>/dev/null || {
		skip "$row" "root cannot become another user"
		return
	}
	in_copy postgresql || return
	(cd tmp_install/usr/local/pgsql/bin && under_runtime postgres initdb)
	# shellcheck disable=SC2086
	passes "$row" $user make -C src/test/regress check \
		NO_TEMP_INSTALL=yes abs_top_builddir="$copy" MAX_CONNECTIONS=10
}
