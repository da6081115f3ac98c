/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.21, BuiltIn: variables of storage class Input that have what OpenCL C's work-item functions return. A function that
 * uses one has a copy of its own, filled where it begins.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

namespace weft::spirv
{

namespace
{

struct BuiltinRow {
	spv::BuiltIn builtin;
	const char *name; /* of the function */
	bool hasDimension;
	unsigned bits; /* of what the function returns */
};

} // namespace

static constexpr BuiltinRow builtinRows[] = {
	{spv::BuiltIn::NumWorkgroups, "_Z14get_num_groupsj", true, 64},
	{spv::BuiltIn::WorkgroupSize, "_Z14get_local_sizej", true, 64},
	{spv::BuiltIn::WorkgroupId, "_Z12get_group_idj", true, 64},
	{spv::BuiltIn::LocalInvocationId, "_Z12get_local_idj", true, 64},
	{spv::BuiltIn::GlobalInvocationId, "_Z13get_global_idj", true, 64},
	{spv::BuiltIn::LocalInvocationIndex, "_Z19get_local_linear_idv", false, 64},
	{spv::BuiltIn::WorkDim, "_Z12get_work_dimv", false, 32},
	{spv::BuiltIn::GlobalSize, "_Z15get_global_sizej", true, 64},
	{spv::BuiltIn::EnqueuedWorkgroupSize, "_Z23get_enqueued_local_sizej", true, 64},
	{spv::BuiltIn::GlobalOffset, "_Z17get_global_offsetj", true, 64},
	{spv::BuiltIn::GlobalLinearId, "_Z20get_global_linear_idv", false, 64},
	{spv::BuiltIn::SubgroupSize, "_Z18get_sub_group_sizev", false, 32},
	{spv::BuiltIn::SubgroupMaxSize, "_Z22get_max_sub_group_sizev", false, 32},
	{spv::BuiltIn::NumSubgroups, "_Z18get_num_sub_groupsv", false, 32},
	{spv::BuiltIn::NumEnqueuedSubgroups, "_Z27get_enqueued_num_sub_groupsv", false, 32},
	{spv::BuiltIn::SubgroupId, "_Z16get_sub_group_idv", false, 32},
	{spv::BuiltIn::SubgroupLocalInvocationId, "_Z22get_sub_group_local_idv", false, 32},
	{spv::BuiltIn::SubgroupEqMask, "_Z21get_sub_group_eq_maskv", false, 128},
	{spv::BuiltIn::SubgroupGeMask, "_Z21get_sub_group_ge_maskv", false, 128},
	{spv::BuiltIn::SubgroupGtMask, "_Z21get_sub_group_gt_maskv", false, 128},
	{spv::BuiltIn::SubgroupLeMask, "_Z21get_sub_group_le_maskv", false, 128},
	{spv::BuiltIn::SubgroupLtMask, "_Z21get_sub_group_lt_maskv", false, 128},
};

/* What the variable's type makes of the functions' results. */
static llvm::Value *makeValue(FunctionReader &function, const Instruction &variable,
			      const BuiltinRow &row, const Type &type)
{
	llvm::IRBuilder<> &builder = function.builder;
	llvm::Type *made = row.bits == 128 ? static_cast<llvm::Type *>(llvm::FixedVectorType::get(
						     builder.getInt32Ty(), 4))
					   : builder.getIntNTy(row.bits);

	if (row.bits == 128) {
		variable.require(type.llvm == made, "it is no vector of four integers");
		return function.call(row.name, made, {});
	}
	if (!row.hasDimension) {
		variable.require(type.is(Type::Int), "it is no integer");
		return builder.CreateZExtOrTrunc(function.call(row.name, made, {}), type.llvm);
	}
	variable.require(type.is(Type::Vector) && type.isOf(Type::Int) && type.count == 3,
			 "it is no vector of three integers");
	llvm::Value *vector = llvm::PoisonValue::get(type.llvm);
	for (unsigned i = 0; i < 3; i++) {
		llvm::Value *component = function.call(row.name, made, {builder.getInt32(i)});
		vector = builder.CreateInsertElement(
			vector, builder.CreateZExtOrTrunc(component, type.element->llvm),
			uint64_t{i});
	}
	return vector;
}

llvm::Value *makeBuiltinVariable(FunctionReader &function, const Instruction &variable)
{
	const Type &type = *function.resultType(variable).element;
	const Decoration *decoration =
		function.module.decorations.find(variable.result, spv::Decoration::BuiltIn);
	const auto builtin = decoration->instruction.enumerant<spv::BuiltIn>(0);
	const auto *row = llvm::find_if(builtinRows, [&](const BuiltinRow &candidate) {
		return candidate.builtin == builtin;
	});

	if (row == std::end(builtinRows))
		decoration->instruction.fail("this built-in variable is none of a kernel's");
	llvm::IRBuilder<>::InsertPointGuard guard(function.builder);
	llvm::AllocaInst *copy = function.allocate(variable, type.llvm);
	function.builder.SetInsertPoint(function.entry());
	function.builder.CreateStore(makeValue(function, variable, *row, type), copy);
	return copy;
}

} // namespace weft::spirv
