# mixed.rb N - N rounds of a sieve, calls, strings, a table and a sort
def sieve(n)
  prime = Array.new(n + 1, true)
  found = 0
  2.upto(n) do |i|
    next unless prime[i]
    found += 1
    k = 2 * i
    while k <= n
      prime[k] = false
      k += i
    end
  end
  found
end

def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end

def words(n)
  count = Hash.new(0)
  state = 1
  n.times do
    state = (state * 1103 + 12345) % 65536
    w = "w#{state % 97}"
    count[w] += w.length
  end
  count.keys.sort.map { |w| "#{w}:#{count[w]}" }.join(" ")
end

total = 0
ARGV[0].to_i.times { total += sieve(5000) + fib(15) + words(3000).length }
puts total
