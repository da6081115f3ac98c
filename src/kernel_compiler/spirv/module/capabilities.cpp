/* SPDX-License-Identifier: MIT
 *
 * What a module may ask for (OpenCL SPIR-V Environment 4 and 5).
 */
#include "spirv/binary/grammar.h"
#include "spirv/module/module_reader.h"

namespace weft::spirv
{

#define CAPABILITY(number, name) number,
#define EXTENSION(name)
static constexpr uint32_t capabilities[] = {
#include "spirv/module/capabilities.def"
};
#undef CAPABILITY
#undef EXTENSION

#define CAPABILITY(number, name)
#define EXTENSION(name) #name,
static constexpr llvm::StringLiteral extensions[] = {
#include "spirv/module/capabilities.def"
};
#undef CAPABILITY
#undef EXTENSION

void checkCapability(const Instruction &instruction)
{
	uint32_t capability = instruction.literal(0);

	if (!llvm::is_contained(capabilities, capability))
		instruction.fail("the capability " + llvm::Twine(capability) + " (" +
				 capabilityName(capability) + ") is not offered");
}

void checkExtension(const Instruction &instruction)
{
	llvm::StringRef name = instruction.string(0);

	if (!llvm::is_contained(extensions, name))
		instruction.fail("the extension " + name + " is not offered");
}

} // namespace weft::spirv
