# mixed.tcl N - N rounds of a sieve, calls, strings, a table and a sort
proc sieve {n} {
	for {set i 0} {$i <= $n} {incr i} { lappend prime 1 }
	set found 0
	for {set i 2} {$i <= $n} {incr i} {
		if {![lindex $prime $i]} continue
		incr found
		for {set k [expr {2 * $i}]} {$k <= $n} {incr k $i} {
			lset prime $k 0
		}
	}
	return $found
}

proc fib {n} {
	if {$n < 2} { return $n }
	expr {[fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]}
}

proc words {n} {
	set state 1
	for {set i 0} {$i < $n} {incr i} {
		set state [expr {($state * 1103 + 12345) % 65536}]
		set w w[expr {$state % 97}]
		if {![info exists count($w)]} { set count($w) 0 }
		incr count($w) [string length $w]
	}
	foreach w [lsort [array names count]] { lappend all $w:$count($w) }
	return [join $all " "]
}

set total 0
for {set round [lindex $argv 0]} {$round > 0} {incr round -1} {
	incr total [sieve 5000]
	incr total [fib 15]
	incr total [string length [words 3000]]
}
puts $total
