/* SPDX-License-Identifier: MIT
 *
 * SPV_INTEL_memory_access_aliasing: domains, scopes and lists of scopes are LLVM's metadata. They are declared in any order:
 * LLVM 22's back end writes lists in front of their scopes.
 */
#include "spirv/module/module_reader.h"

#include "llvm/IR/MDBuilder.h"

namespace weft::spirv
{

static constexpr spv::Op inOrder[] = {spv::Op::OpAliasDomainDeclINTEL,
				      spv::Op::OpAliasScopeDeclINTEL,
				      spv::Op::OpAliasScopeListDeclINTEL};

bool noteAliasScope(ModuleReader &module, const Instruction &instruction)
{
	if (!llvm::is_contained(inOrder, instruction.opcode))
		return false;
	module.aliasDeclarations.push_back(instruction);
	return true;
}

static llvm::MDNode *makeNode(const ModuleReader &module, const Instruction &declaration)
{
	llvm::MDBuilder builder(module.context);
	llvm::SmallVector<llvm::Metadata *, 4> scopes;

	if (declaration.opcode == spv::Op::OpAliasDomainDeclINTEL)
		return builder.createAnonymousAliasScopeDomain();
	if (declaration.opcode == spv::Op::OpAliasScopeDeclINTEL)
		return builder.createAnonymousAliasScope(
			module.aliasNode(declaration, declaration.id(0)));
	for (unsigned i = 0; i < declaration.size(); i++)
		scopes.push_back(module.aliasNode(declaration, declaration.id(i)));
	return llvm::MDNode::get(module.context, scopes);
}

void makeAliasScopes(ModuleReader &module)
{
	for (spv::Op kind : inOrder) {
		for (const Instruction &declaration : module.aliasDeclarations) {
			if (declaration.opcode == kind)
				module.aliasNodes[declaration.result] =
					makeNode(module, declaration);
		}
	}
}

} // namespace weft::spirv
