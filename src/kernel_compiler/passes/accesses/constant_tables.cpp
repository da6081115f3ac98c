/* SPDX-License-Identifier: MIT
 *
 * By the address, and what it is made from.
 */
#include "accesses/constant_tables.h"

#include "costs/vector_registers.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace weft
{

std::optional<TableLoad> tableLoadOf(const LoadInst &load)
{
	const Module &module = *load.getModule();
	const DataLayout &layout = module.getDataLayout();
	const auto *address = dyn_cast<GEPOperator>(load.getPointerOperand());
	if (!load.isSimple() || !address || permutedBits(module) / 8 < tableRegister)
		return std::nullopt;
	const unsigned bits = layout.getIndexTypeSizeInBits(address->getType());
	SmallMapVector<Value *, APInt, 4> indices;
	APInt offset(bits, 0);
	if (!address->collectOffset(layout, bits, indices, offset) || indices.size() != 1)
		return std::nullopt;
	const auto *variable = dyn_cast<GlobalVariable>(
		address->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset,
										true));
	if (!variable || !variable->isConstant() || !variable->hasDefinitiveInitializer())
		return std::nullopt;
	const auto *table = dyn_cast<ConstantDataSequential>(variable->getInitializer());
	if (!table || table->getElementType() != load.getType())
		return std::nullopt;
	const uint64_t size = table->getElementByteSize();
	const bool isWhole =
		indices.front().second == size && offset.urem(size) == 0 && offset.isNonNegative();
	if ((size != 4 && size != 8) || !isWhole ||
	    table->getNumElements() * size > 2 * uint64_t(tableRegister))
		return std::nullopt;
	return TableLoad{table, indices.front().first, offset.udiv(size).getZExtValue()};
}

} // namespace weft
