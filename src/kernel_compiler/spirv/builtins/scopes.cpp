// SPDX-License-Identifier: MIT
//
// Operands of scopes and memory semantics. A kernel may compute them: then the strongest stands for them.
#include "spirv/builtins/scopes.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

constexpr uint32_t acquire = 0x2, release = 0x4, acquireRelease = 0x8, sequential = 0x10;
constexpr uint32_t workgroupMemory = 0x100, crossWorkgroupMemory = 0x200, imageMemory = 0x800;
constexpr uint32_t allSemantics = sequential | workgroupMemory | crossWorkgroupMemory | imageMemory;

uint32_t numberOr(FunctionReader &function, const Instruction &instruction, unsigned index,
		  uint32_t otherwise)
{
	llvm::Value *value = function.operand(instruction, index);
	instruction.require(value->getType()->isIntegerTy(32),
			    "a scope or memory semantics is no integer of 32 bits");
	const auto *number = dyn_cast<ConstantInt>(value);
	return number ? static_cast<uint32_t>(number->getZExtValue()) : otherwise;
}

uint32_t semantics(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	uint32_t bits = numberOr(function, instruction, index, allSemantics);
	uint32_t order = bits & (acquire | release | acquireRelease | sequential);
	instruction.require((order & (order - 1)) == 0, "memory semantics have two orders");
	return bits;
}

} // namespace

GroupScope groupScope(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	auto scope = static_cast<spv::Scope>(function.constant(instruction, index));
	if (scope == spv::Scope::Workgroup)
		return GroupScope::WorkGroup;
	instruction.require(scope == spv::Scope::Subgroup,
			    "the scope is neither a work-group nor a sub-group");
	return GroupScope::SubGroup;
}

void requireSubGroup(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	instruction.require(groupScope(function, instruction, index) == GroupScope::SubGroup,
			    "the scope is no sub-group");
}

uint32_t fenceFlags(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	constexpr uint32_t local = 1, global = 2, image = 4; // CLK_LOCAL_MEM_FENCE and its kind
	uint32_t bits = semantics(function, instruction, index);
	return (bits & workgroupMemory ? local : 0) | (bits & crossWorkgroupMemory ? global : 0) |
	       (bits & imageMemory ? image : 0);
}

uint32_t memoryOrder(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	uint32_t bits = semantics(function, instruction, index);
	auto order = bits & sequential       ? AtomicOrderingCABI::seq_cst
		     : bits & acquireRelease ? AtomicOrderingCABI::acq_rel
		     : bits & release        ? AtomicOrderingCABI::release
		     : bits & acquire        ? AtomicOrderingCABI::acquire
					     : AtomicOrderingCABI::relaxed;
	return static_cast<uint32_t>(order);
}

uint32_t memoryScope(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	// memory_scope_… of OpenCL C, in the order of SPIR-V's scopes.
	static constexpr uint32_t scopes[] = {3, 2, 1, 4, 0};
	uint32_t scope = numberOr(function, instruction, index, 0);
	instruction.require(scope < std::size(scopes), "unknown memory scope");
	return scopes[scope];
}

AtomicOrdering ordering(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	switch (static_cast<AtomicOrderingCABI>(memoryOrder(function, instruction, index))) {
	case AtomicOrderingCABI::acquire:
		return AtomicOrdering::Acquire;
	case AtomicOrderingCABI::release:
		return AtomicOrdering::Release;
	case AtomicOrderingCABI::acq_rel:
		return AtomicOrdering::AcquireRelease;
	case AtomicOrderingCABI::seq_cst:
		return AtomicOrdering::SequentiallyConsistent;
	default:
		return AtomicOrdering::Monotonic;
	}
}

} // namespace weft::spirv
