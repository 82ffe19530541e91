# sources.sh - fetch Debian's source packages; sourced
#
# apt fetches each source once, with package lists in $dir: the system's lists
# are neither used nor changed. The caller has say(), and calls use_dir() first.
# shellcheck shell=sh

# use_dir DIR: $dir is DIR, with its folder of sources. Two scripts with one DIR
# wait for each other.
use_dir() {
	mkdir -p "$1/src"
	dir=$(cd "$1" && pwd)
	exec 9>"$dir/lock"
	flock 9
}

# source_lists FOLDER: the system's package sources, turned from binary to
# source packages, in both formats that apt reads
source_lists() {
	mkdir -p "$1"
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
		/etc/apt/sources.list.d/*.sources; do
		[ -r "$f" ] || continue
		case $f in
		*.sources)
			sed 's/^[Tt]ypes:.*/Types: deb-src/' "$f" ;;
		*)
			sed -n 's/^[[:blank:]]*deb[[:blank:]]/deb-src /p' "$f"
			;;
		esac >"$1/$(basename "$f")"
	done
}

# apt_get WORD...: apt-get that knows only source packages
apt_get() { apt_with apt-get -qq "$@"; }

apt_with() {
	command=$1
	shift
	"$command" -o "Dir::Etc::sourcelist=/dev/null" \
		-o "Dir::Etc::sourceparts=$dir/apt/sources" \
		-o "Dir::State::lists=$dir/apt/lists" \
		-o "Dir::Cache=$dir/apt/cache" \
		-o APT::Sandbox::User= -o Acquire::Languages=none "$@"
}

# apt_source PACKAGE: the newest version that a server has. A mirror of security
# updates may list versions that it does not have.
apt_source() {
	for version in $(apt_with apt-cache showsrc "$1" |
			 sed -n 's/^Version: //p' | sort -rV); do
		! apt_get source "$1=$version" || return 0
	done
	return 1
}

# fetch PACKAGE: its source in DIR/src/PACKAGE, with Debian's patches
fetch() {
	[ ! -d "$dir/src/$1" ] || return 0
	for tool in apt-get dpkg-source; do
		command -v $tool >/dev/null || {
			say "without $tool there is no source of $1"
			exit 77
		}
	done
	if [ ! -e "$dir/apt/updated" ]; then
		rm -rf "$dir/apt"
		mkdir -p "$dir/apt/lists/partial" \
			"$dir/apt/cache/archives/partial"
		source_lists "$dir/apt/sources"
		apt_get update >"$dir/apt.log" 2>&1 || :
		touch "$dir/apt/updated"
	fi
	rm -rf "$dir/src/tmp.$1"
	mkdir -p "$dir/src/tmp.$1"
	if ! (cd "$dir/src/tmp.$1" && apt_source "$1") \
		>>"$dir/apt.log" 2>&1; then
		rm -f "$dir/apt/updated"
		say "cannot fetch the source of $1:" \
		    "$(grep -aE '^(E:|W: Failed)' "$dir/apt.log" | head -n 1)"
		exit 77
	fi
	for unpacked in "$dir/src/tmp.$1"/*/; do
		mv "$unpacked" "$dir/src/$1"
	done
	rm -rf "$dir/src/tmp.$1"
}
