/* SPDX-License-Identifier: MIT
 *
 * SPV_INTEL_memory_access_aliasing: domains, scopes and lists of scopes are LLVM's metadata.
 */
#include "spirv/module/module_reader.h"

#include "llvm/IR/MDBuilder.h"

namespace weft::spirv
{

bool readAliasScope(ModuleReader &module, const Instruction &instruction)
{
	llvm::MDBuilder builder(module.context);
	llvm::SmallVector<llvm::Metadata *, 4> scopes;

	switch (instruction.opcode) {
	case spv::Op::OpAliasDomainDeclINTEL:
		module.aliasNodes[instruction.result] = builder.createAnonymousAliasScopeDomain();
		return true;
	case spv::Op::OpAliasScopeDeclINTEL:
		module.aliasNodes[instruction.result] = builder.createAnonymousAliasScope(
			module.aliasNode(instruction, instruction.id(0)));
		return true;
	case spv::Op::OpAliasScopeListDeclINTEL:
		for (unsigned i = 0; i < instruction.size(); i++)
			scopes.push_back(module.aliasNode(instruction, instruction.id(i)));
		module.aliasNodes[instruction.result] = llvm::MDNode::get(module.context, scopes);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
