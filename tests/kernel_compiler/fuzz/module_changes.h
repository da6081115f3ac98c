/* SPDX-License-Identifier: MIT
 *
 * Changes of SPIR-V modules, for tests that the reader takes anything. Most modules in which only some bits are others are
 * refused by their first instructions; so whole instructions are changed.
 */
#ifndef WEFT_TESTS_MODULE_CHANGES_H
#define WEFT_TESTS_MODULE_CHANGES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft
{

using ModuleWords = std::vector<uint32_t>;

/* Without bytes that make no word. */
ModuleWords wordsOf(const uint8_t *data, size_t size);

/* Changes a module `count` times at places that `seed` decides: an operand, an operation, ids of two instructions; an instruction is
 * removed, or one of `other` put in. */
void changeModule(ModuleWords &words, const ModuleWords &other, unsigned count, unsigned seed);

/* Reads a module, for all that it may be. The process ends (abort) when the reader gives neither a valid module nor a reason. */
void readAnything(const uint8_t *data, size_t size);

} // namespace weft

#endif
