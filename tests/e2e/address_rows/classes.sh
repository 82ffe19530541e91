# classes.sh - rows of e2e_addresses.sh: C++
# shellcheck shell=sh disable=SC2154

# Two files, in which inline functions, statics in them and what is in a
# namespace without a name have equal names.
classes() {
	text both.h <<-'EOF'
	#include <map>
	#include <stdexcept>
	#include <string>
	template <class T> struct S {
		static int n;
		static thread_local int tl;
		virtual ~S() {}
		virtual T f(T x)
		{
			static std::string s = "init";
			n++, tl++;
			return x + T(s.size());
		}
	};
	template <class T> int S<T>::n;
	template <class T> thread_local int S<T>::tl = 3;
	inline int once(int x) { static int c; return c += x; }
	namespace {
	struct L { int v; ~L() { v = 0; } };
	L l{4};
	__attribute__((noinline)) int local(int x) { return x + l.v; }
	}
	int other(int);
	EOF
	text x.cc <<-'EOF'
	#include "both.h"
	#include <iostream>
	struct D : virtual S<int> {
		int f(int x) override
		{
			if (x > 100)
				throw std::runtime_error("big");
			return x * 2;
		}
	};
	int main(int argc, char **)
	{
		std::map<std::string, int> m;
		S<long> s;
		D d;
		m["a"] = argc;
		try {
			d.f(argc + 100);
		} catch (std::exception &e) {
			std::cout << e.what() << '\n';
		}
		std::cout << s.f(argc) << once(argc) << other(argc) <<
			local(argc) << m.size() << S<int>::tl << '\n';
	}
	EOF
	text y.cc <<-'EOF'
	#include "both.h"
	int other(int x)
	{
		std::map<std::string, int> m;
		S<int> s;
		auto f = [&](int y) { return local(y) + m["q"]; };
		return once(x) + s.f(x) + f(x);
	}
	EOF
	ln -sf "$cof_cc" cof-c++
}

row_classes() {
	classes
	objects_of ./cof-c++ -O2 && make_with ./cof-c++ -O2 x.o y.o || return
	told
}

row_classes_unoptimized() {
	classes
	objects_of ./cof-c++ -O0 && make_with ./cof-c++ -O0 x.o y.o || return
	told
}
