/*
 * entry_code.h - native code at the entries of an executable's functions
 */
#pragma once

#include <memory>

#include "support/addresses.h"

namespace cofl {

class entry_code {
public:
	entry_code(const char *bytes, size_t n_bytes);
	~entry_code();

	/* Set ->first_bytes, and take back COFL_ADDRESS_PATCHABLE if the code
	 * is not as it should be. ->address and ->bytes are set. */
	void look(cofl_address &a) const;

private:
	struct parts;

	/* The code from an address on, up to `most` bytes in its section. */
	const uint8_t *at(uint64_t address, uint64_t &most) const;

	const char *bytes;
	size_t n_bytes;
	std::unique_ptr<parts> mc;
};

} /* namespace cofl */
