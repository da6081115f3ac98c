/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.6, the execution modes of a kernel, as docs/kernel_ir.md has them.
 */
#include "spirv/functions/functions.h"

namespace weft::spirv
{

static llvm::MDNode *numbers(ModuleReader &module, llvm::ArrayRef<uint32_t> values)
{
	llvm::SmallVector<llvm::Metadata *, 3> rows;
	llvm::Type *type = llvm::Type::getInt32Ty(module.context);

	for (uint32_t value : values)
		rows.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value)));
	return llvm::MDNode::get(module.context, rows);
}

/* Three sizes: literals, or ids of constants. */
static llvm::MDNode *sizes(ModuleReader &module, const Instruction &mode, bool areIds)
{
	llvm::SmallVector<uint32_t, 3> values;

	for (unsigned i = 2; i < 5; i++)
		values.push_back(areIds ? static_cast<uint32_t>(module.constant(mode, mode.id(i)))
					: mode.literal(i));
	mode.require(!llvm::is_contained(values, 0u), "a size is 0");
	return numbers(module, values);
}

/* Of sub-groups: a literal, or the id of a constant. */
static llvm::MDNode *count(ModuleReader &module, const Instruction &mode, bool isId)
{
	const uint32_t value =
		isId ? static_cast<uint32_t>(module.constant(mode, mode.id(2))) : mode.literal(2);

	mode.require(value > 0, "a size or number is 0");
	return numbers(module, {value});
}

/* VecTypeHint's literal is the component's kind in its low half, and their number in its high half. */
static llvm::MDNode *vectorHint(ModuleReader &module, const Instruction &mode)
{
	llvm::LLVMContext &context = module.context;
	llvm::Type *const kinds[] = {
		llvm::Type::getInt8Ty(context),  llvm::Type::getInt16Ty(context),
		llvm::Type::getInt32Ty(context), llvm::Type::getInt64Ty(context),
		llvm::Type::getHalfTy(context),  llvm::Type::getFloatTy(context),
		llvm::Type::getDoubleTy(context)};
	uint32_t kind = mode.literal(2) & 0xffff, count = mode.literal(2) >> 16;

	mode.require(kind < std::size(kinds) && (count <= 4 || count == 8 || count == 16),
		     "there is no such type");
	llvm::Type *type = kinds[kind];
	if (count > 1)
		type = llvm::FixedVectorType::get(type, count);
	llvm::Metadata *rows[] = {llvm::ConstantAsMetadata::get(llvm::UndefValue::get(type)),
				  llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
					  llvm::Type::getInt32Ty(context), 0))};
	return llvm::MDNode::get(context, rows);
}

static void readMode(ModuleReader &module, const Instruction &mode, llvm::Function &kernel)
{
	switch (mode.enumerant<spv::ExecutionMode>(1)) {
	case spv::ExecutionMode::LocalSize:
	case spv::ExecutionMode::LocalSizeId:
		kernel.setMetadata("reqd_work_group_size",
				   sizes(module, mode,
					 mode.enumerant<spv::ExecutionMode>(1) ==
						 spv::ExecutionMode::LocalSizeId));
		return;
	case spv::ExecutionMode::LocalSizeHint:
	case spv::ExecutionMode::LocalSizeHintId:
		kernel.setMetadata("work_group_size_hint",
				   sizes(module, mode,
					 mode.enumerant<spv::ExecutionMode>(1) ==
						 spv::ExecutionMode::LocalSizeHintId));
		return;
	case spv::ExecutionMode::VecTypeHint:
		kernel.setMetadata("vec_type_hint", vectorHint(module, mode));
		return;
	case spv::ExecutionMode::SubgroupSize:
		kernel.setMetadata("intel_reqd_sub_group_size", count(module, mode, false));
		return;
	case spv::ExecutionMode::SubgroupsPerWorkgroup:
	case spv::ExecutionMode::SubgroupsPerWorkgroupId:
		kernel.setMetadata("weft_reqd_num_sub_groups",
				   count(module, mode,
					 mode.enumerant<spv::ExecutionMode>(1) ==
						 spv::ExecutionMode::SubgroupsPerWorkgroupId));
		return;
	case spv::ExecutionMode::DenormFlushToZero:
		if (mode.literal(2) != 16)
			kernel.addFnAttr("weft-flush-denormals");
		return;
	case spv::ExecutionMode::RoundingModeRTZ:
	case spv::ExecutionMode::Initializer:
	case spv::ExecutionMode::Finalizer:
		mode.fail("this execution mode is not offered");
	default: /* hints, and what holds without being asked for */
		return;
	}
}

void readModes(ModuleReader &module, const EntryPoint &entry, llvm::Function &kernel)
{
	for (const Instruction &mode : module.executionModes(entry.function))
		readMode(module, mode, kernel);
}

} // namespace weft::spirv
