/* SPDX-License-Identifier: MIT
 *
 * The enumerants of SPIR-V, and those that Debian's spirv-headers (1.3.239) do not have.
 */
#ifndef WEFT_SPIRV_NEWER_ENUMERANTS_H
#define WEFT_SPIRV_NEWER_ENUMERANTS_H

#include <spirv/unified1/spirv.hpp11>

namespace weft::spirv
{

#define INSTRUCTION(number, name, ...) constexpr auto name = static_cast<spv::Op>(number);
#include "spirv/binary/newer_instructions.def"
#undef INSTRUCTION

} // namespace weft::spirv

#endif
