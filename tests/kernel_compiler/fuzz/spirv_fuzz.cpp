/* SPDX-License-Identifier: MIT
 *
 * The SPIR-V reader under libFuzzer.
 */
#include "module_changes.h"

#include <algorithm>
#include <cstring>

extern "C" {
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize, const uint8_t *second,
				 size_t secondSize, uint8_t *out, size_t most, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
}

using weft::ModuleWords;

static size_t writeWords(const ModuleWords &words, uint8_t *data, size_t most)
{
	size_t size = std::min(words.size(), most / sizeof(uint32_t)) * sizeof(uint32_t);

	if (size)
		memcpy(data, words.data(), size);
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	ModuleWords words = weft::wordsOf(data, size);

	if (seed % 16 == 0)
		return LLVMFuzzerMutate(data, size, most);
	weft::changeModule(words, words, 1 + seed / 16 % 4, seed);
	return writeWords(words, data, most);
}

// libFuzzer gives the parameters.
// NOLINTNEXTLINE(readability-function-size)
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize, const uint8_t *second,
				 size_t secondSize, uint8_t *out, size_t most, unsigned seed)
{
	ModuleWords words = weft::wordsOf(first, firstSize);

	weft::changeModule(words, weft::wordsOf(second, secondSize), 6, seed);
	return writeWords(words, out, most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	weft::readAnything(data, size);
	return 0;
}
