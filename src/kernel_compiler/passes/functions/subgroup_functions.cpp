/* SPDX-License-Identifier: MIT
 *
 * Names of internal functions are taken apart: __weft_sub_<kind>[_<operation>][_<OpenCL C's type>].
 */
#include "functions/subgroup_functions.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/ADT/bit.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

namespace
{

using Operation = SubgroupFunction::Operation;

Operation operationNamed(StringRef name)
{
	return StringSwitch<Operation>(name)
		.Case("add", Operation::Add)
		.Case("mul", Operation::Mul)
		.Case("min", Operation::Min)
		.Case("max", Operation::Max)
		.Case("and", Operation::And)
		.Case("or", Operation::Or)
		.Case("xor", Operation::Xor)
		.Default(Operation::None);
}

std::optional<SubgroupFunction::Kind> kindNamed(StringRef name)
{
	using Result = std::optional<SubgroupFunction::Kind>;
	return StringSwitch<Result>(name)
		.Case("size", SubgroupFunction::Size)
		.Case("lane", SubgroupFunction::Lane)
		.Case("barrier", SubgroupFunction::Barrier)
		.Case("ballot", SubgroupFunction::Ballot)
		.Case("shuffle", SubgroupFunction::Shuffle)
		.Case("shuffle2", SubgroupFunction::ShuffleTwo)
		.Case("first", SubgroupFunction::First)
		.Case("reduce", SubgroupFunction::Reduce)
		.Case("inclusive", SubgroupFunction::Inclusive)
		.Case("exclusive", SubgroupFunction::Exclusive)
		.Default(std::nullopt);
}

Constant *floatIdentity(Operation operation, Type *type)
{
	switch (operation) {
	case Operation::Mul:
		return ConstantFP::get(type, 1.0);
	case Operation::Min:
		return ConstantFP::getInfinity(type);
	case Operation::Max:
		return ConstantFP::getInfinity(type, true);
	default:
		return ConstantFP::get(type, 0.0);
	}
}

APInt integerIdentity(SubgroupFunction function, unsigned bits)
{
	switch (function.operation) {
	case Operation::Mul:
		return APInt(bits, 1);
	case Operation::Min:
		return function.isSigned ? APInt::getSignedMaxValue(bits)
					 : APInt::getMaxValue(bits);
	case Operation::Max:
		return function.isSigned ? APInt::getSignedMinValue(bits)
					 : APInt::getMinValue(bits);
	case Operation::And:
		return APInt::getAllOnes(bits);
	default:
		return APInt::getZero(bits);
	}
}

/* The result of a call in a sub-group of one work-item. */
Value *valueForOne(CallInst &call, SubgroupFunction function)
{
	IRBuilder<> builder(&call);
	switch (function.kind) {
	case SubgroupFunction::Size:
		return builder.getInt32(1);
	case SubgroupFunction::Lane:
		return builder.getInt32(0);
	case SubgroupFunction::Barrier:
		return nullptr;
	case SubgroupFunction::Ballot: {
		Value *predicate = call.getArgOperand(0);
		Value *isSet = builder.CreateICmpNE(predicate,
						    Constant::getNullValue(predicate->getType()));
		return builder.CreateZExt(isSet, call.getType());
	}
	case SubgroupFunction::ShuffleTwo:
		return builder.CreateSelect(
			builder.CreateTrunc(call.getArgOperand(2), builder.getInt1Ty()),
			call.getArgOperand(1), call.getArgOperand(0));
	case SubgroupFunction::First:
	case SubgroupFunction::Shuffle:
	case SubgroupFunction::Reduce:
	case SubgroupFunction::Inclusive:
		return call.getArgOperand(0);
	case SubgroupFunction::Exclusive:
		return identityOf(function, call.getType());
	}
	return nullptr;
}

} // namespace

std::optional<SubgroupFunction> subgroupFunctionOf(const Function &function)
{
	StringRef name = function.getName();
	if (!name.consume_front("__weft_sub_"))
		return std::nullopt;
	SmallVector<StringRef, 3> words;
	name.split(words, '_');
	std::optional<SubgroupFunction::Kind> kind = kindNamed(words[0]);
	if (!kind)
		return std::nullopt;
	SubgroupFunction result = {*kind};
	if (words.size() == 3) {
		result.operation = operationNamed(words[1]);
		result.isSigned = !words[2].starts_with("u");
	}
	return result;
}

std::optional<SubgroupFunction> subgroupCallOf(const Value &value)
{
	const auto *call = dyn_cast<CallInst>(&value);
	if (!call || !call->getCalledFunction())
		return std::nullopt;
	return subgroupFunctionOf(*call->getCalledFunction());
}

bool usesSubgroups(const Function &kernel)
{
	return any_of(instructions(kernel), [](const Instruction &instruction) {
		return subgroupCallOf(instruction).has_value();
	});
}

Constant *identityOf(SubgroupFunction function, Type *type)
{
	if (type->isFloatingPointTy())
		return floatIdentity(function.operation, type);
	return ConstantInt::get(type, integerIdentity(function, type->getIntegerBitWidth()));
}

/* A cluster's size is a constant by the language's rules, and a power of two. */
unsigned clusterOf(const CallBase &reduction, unsigned width)
{
	const auto *cluster = dyn_cast<ConstantInt>(reduction.getArgOperand(1));
	if (!cluster || cluster->isZero() || cluster->getValue().uge(width))
		return width;
	return unsigned(bit_floor(cluster->getZExtValue()));
}

/* Lanes that are active where a call stands are part of what it means: it stays there, once. */
void declareSubgroupFunction(Function &function, SubgroupFunction what)
{
	function.setAttributes(AttributeList());
	function.setCallingConv(CallingConv::C);
	function.setDoesNotThrow();
	function.setWillReturn();
	if (!(what == SubgroupFunction::Barrier))
		function.setDoesNotAccessMemory();
	if (what == SubgroupFunction::Size || what == SubgroupFunction::Lane) {
		function.addFnAttr(Attribute::Speculatable);
		function.setNoSync();
		return;
	}
	function.setConvergent();
	function.addFnAttr(Attribute::NoMerge);
}

static uint32_t numberOf(const Function &kernel, StringRef metadata)
{
	const MDNode *node = kernel.getMetadata(metadata);
	if (!node || node->getNumOperands() == 0)
		return 0;
	return uint32_t(mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue());
}

uint32_t requiredSubgroupSize(const Function &kernel)
{
	return numberOf(kernel, "intel_reqd_sub_group_size");
}

uint32_t requiredSubgroupCount(const Function &kernel)
{
	return numberOf(kernel, "weft_reqd_num_sub_groups");
}

void makeSubgroupsOfOne(Function &kernel)
{
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		std::optional<SubgroupFunction> function = subgroupCallOf(instruction);
		if (!function)
			continue;
		if (Value *value = valueForOne(cast<CallInst>(instruction), *function))
			instruction.replaceAllUsesWith(value);
		instruction.eraseFromParent();
	}
}

} // namespace weft
