/*
 * shared.h - see one.cpp
 */
#pragma once

int odd(int i);

template <class T> __attribute__((noinline)) T sum(T n)
{
	T all = 0;

	for (T i = 0; i < n; i++) {
		try {
			all += odd((int)i);
		} catch (int thrown) {
			all += thrown;
		}
	}
	return all;
}
