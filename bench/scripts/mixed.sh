# mixed.sh N - N rounds of loops, calls, strings and patterns
# shellcheck shell=sh
fib() {
	if [ "$1" -lt 2 ]; then
		result=$1
		return
	fi
	fib $(($1 - 1))
	set -- "$1" "$2" "$result"
	saved="$result $saved"
	fib $(($1 - 2))
	result=$((result + ${saved%% *}))
	saved=${saved#* }
}

words() {
	state=1 i=0 long=
	while [ "$i" -lt 300 ]; do
		state=$(((state * 1103 + 12345) % 65536))
		case w$((state % 97)) in
		w?) long=$long. ;;
		w[1-4]?) long=${long#.}:$i ;;
		*) long=${long%:*} ;;
		esac
		i=$((i + 1))
	done
}

total=0 round=$1
while [ "$round" -gt 0 ]; do
	saved=
	fib 9
	words
	total=$((total + result + ${#long}))
	round=$((round - 1))
done
echo "$total"
