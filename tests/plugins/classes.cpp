/*
 * classes.cpp - exceptions, virtual functions and statics across a plug-in
 */
#include <cstdio>
#include <dlfcn.h>
#include <typeinfo>

#include "classes.h"

int main(int argc, char **argv)
{
	Registry<int>::add(1);
	counter()++;
	void *handle = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;

	if (handle == nullptr) {
		puts(dlerror());
		return 1;
	}
	auto *make = reinterpret_cast<Shape *(*)(int)>(dlsym(handle, "make"));
	Shape *shape = make(3);

	printf("%d, %d %d\n", shape->area(), counter(), Registry<int>::n);
	printf("%d\n", dynamic_cast<Shape *>(shape) != nullptr &&
			       typeid(*shape) != typeid(Shape));
	for (int i = 0; i < 1000; i++) {
		try {
			make(-i);
		} catch (const Refused &e) {
			if (i % 400 == 0)
				printf("refused: %s\n", e.what());
		}
	}
	delete shape;
	return 0;
}
