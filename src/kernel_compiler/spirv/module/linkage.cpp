/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 2.15 linkage.
 */
#include "spirv/module/linkage.h"

#include "functions/reserved_names.h"

#include "llvm/IR/Intrinsics.h"

namespace weft::spirv
{

/* Names that a module may import: DPC++ calls some of LLVM's functions for integers by their names. */
static bool isOffered(llvm::StringRef name)
{
	switch (llvm::Intrinsic::lookupIntrinsicID(name)) {
	case llvm::Intrinsic::sadd_sat:
	case llvm::Intrinsic::ssub_sat:
	case llvm::Intrinsic::uadd_sat:
	case llvm::Intrinsic::usub_sat:
	case llvm::Intrinsic::smax:
	case llvm::Intrinsic::smin:
	case llvm::Intrinsic::umax:
	case llvm::Intrinsic::umin:
	case llvm::Intrinsic::fshl:
	case llvm::Intrinsic::fshr:
	case llvm::Intrinsic::bitreverse:
	case llvm::Intrinsic::bswap:
	case llvm::Intrinsic::ctpop:
		return true;
	default:
		return !isReservedName(name);
	}
}

llvm::GlobalValue::LinkageTypes linkageOf(const ModuleReader &module, Id id, llvm::StringRef &name,
					  bool &isImport)
{
	const Decoration *decoration =
		module.decorations.find(id, spv::Decoration::LinkageAttributes);
	isImport = false;
	if (!decoration)
		return llvm::GlobalValue::InternalLinkage;
	const Instruction &instruction = decoration->instruction;
	unsigned next = 0;
	name = instruction.string(0, &next);
	instruction.require(!name.empty(), "a name is empty");
	isImport = instruction.enumerant<spv::LinkageType>(next) == spv::LinkageType::Import;
	instruction.require(isImport ? isOffered(name) : !isReservedName(name),
			    "this name is not the module's to use: '" + name + "'");
	switch (instruction.enumerant<spv::LinkageType>(next)) {
	case spv::LinkageType::Export:
		return llvm::GlobalValue::ExternalLinkage;
	case spv::LinkageType::Import:
		return llvm::GlobalValue::ExternalLinkage;
	case spv::LinkageType::LinkOnceODR:
		return llvm::GlobalValue::LinkOnceODRLinkage;
	default:
		instruction.fail("there is no such linkage");
	}
}

std::string internalName(const ModuleReader &module, Id id)
{
	return module.name(id).empty() ? "" : module.name(id).str() + ".spirv";
}

} // namespace weft::spirv
