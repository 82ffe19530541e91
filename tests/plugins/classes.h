/*
 * classes.h - what program and plug-in both have a copy of, and there is one of
 */
#include <stdexcept>
#include <string>

struct Refused : std::runtime_error {
	using std::runtime_error::runtime_error;
};

struct Shape {
	virtual ~Shape() = default;
	virtual int area() const { return 0; }
};

inline int &counter()
{
	static int n = 10;

	return n;
}

template <typename T> struct Registry {
	static inline int n;
	static int add(T by) { return n += by; }
};

extern "C" Shape *make(int size);
