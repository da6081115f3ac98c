/* SPDX-License-Identifier: MIT
 *
 * merge-element-compares: a chain's tests, those of one vector's elements together. What is compared may be poison in elements that
 * the chain would not have come to, so the comparison is frozen, and stands first.
 */
#include "after_llvm/merge_element_compares.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned leastElements = 4;

/* A comparison of each element of `vector` with that of another vector, or with a scalar. */
struct Comparison {
	CmpPredicate predicate = CmpInst::BAD_ICMP_PREDICATE;
	Value *vector = nullptr, *with = nullptr;
};

using Key = std::tuple<unsigned, Value *, Value *>;

struct Tests {
	Comparison comparison;
	APInt elements;
	SmallVector<Value *, 16> parts;
};

/* The leaves of a chain, in order; what leads to them has no other user. */
void collect(Value *value, bool isOr, bool isRoot, SmallVectorImpl<Value *> &leaves)
{
	Value *left, *right;
	bool matches = isOr ? match(value, m_LogicalOr(m_Value(left), m_Value(right)))
			    : match(value, m_LogicalAnd(m_Value(left), m_Value(right)));
	if (!matches || (!isRoot && !value->hasOneUse())) {
		leaves.push_back(value);
		return;
	}
	collect(left, isOr, false, leaves);
	collect(right, isOr, false, leaves);
}

/* Reads which element a leaf compares, and how. */
bool read(Value *leaf, Comparison &comparison, uint64_t &element)
{
	Value *left, *right, *whole;
	if (match(leaf, m_ExtractElt(m_Value(whole), m_ConstantInt(element))) &&
	    match(whole, m_ICmp(comparison.predicate, m_Value(left), m_Value(right)))) {
		comparison.vector = left;
		comparison.with = right;
	} else if (!match(leaf, m_ICmp(comparison.predicate, m_Value(left), m_Value(right)))) {
		return false;
	} else if (match(left, m_ExtractElt(m_Value(comparison.vector), m_ConstantInt(element)))) {
		if (!match(right, m_ExtractElt(m_Value(comparison.with), m_SpecificInt(element))) ||
		    comparison.with->getType() != comparison.vector->getType())
			comparison.with = right;
	} else if (match(right, m_ExtractElt(m_Value(comparison.vector), m_ConstantInt(element)))) {
		comparison.with = left;
		comparison.predicate = CmpInst::getSwappedPredicate(comparison.predicate);
	} else {
		return false;
	}
	auto *type = dyn_cast<FixedVectorType>(comparison.vector->getType());
	return type && type->getElementType()->isIntegerTy() && element < type->getNumElements();
}

/* Whether any of the elements passes, or all do. */
Value *joined(IRBuilder<> &builder, const Tests &tests, bool isOr)
{
	Value *vector = tests.comparison.vector, *with = tests.comparison.with;
	unsigned count = cast<FixedVectorType>(vector->getType())->getNumElements();
	if (!with->getType()->isVectorTy())
		with = builder.CreateVectorSplat(count, with);
	Value *passed =
		builder.CreateFreeze(builder.CreateICmp(tests.comparison.predicate, vector, with));
	Value *bits = builder.CreateBitCast(passed, builder.getIntNTy(count));
	Value *elements = builder.getInt(tests.elements);
	bits = builder.CreateAnd(bits, elements);
	return isOr ? builder.CreateICmpNE(bits, Constant::getNullValue(bits->getType()), "any")
		    : builder.CreateICmpEQ(bits, elements, "all");
}

bool join(Instruction &root, bool isOr)
{
	SmallVector<Value *, 32> leaves;
	collect(&root, isOr, true, leaves);
	if (leaves.size() < leastElements)
		return false;
	MapVector<Key, Tests> all;
	DenseSet<Value *> taken;
	for (Value *leaf : leaves) {
		Comparison comparison;
		uint64_t element;
		if (!read(leaf, comparison, element))
			continue;
		auto *type = cast<FixedVectorType>(comparison.vector->getType());
		Tests &tests = all[{comparison.predicate, comparison.vector, comparison.with}];
		if (tests.parts.empty())
			tests = {comparison, APInt(type->getNumElements(), 0), {}};
		tests.elements.setBit(unsigned(element));
		tests.parts.push_back(leaf);
	}
	all.remove_if([](auto &entry) { return entry.second.elements.popcount() < leastElements; });
	if (all.empty())
		return false;
	IRBuilder<> builder(&root);
	Value *result = nullptr;
	auto append = [&](Value *test) {
		if (result)
			test = isOr ? builder.CreateLogicalOr(result, test)
				    : builder.CreateLogicalAnd(result, test);
		result = test;
	};
	for (auto &[key, tests] : all) {
		append(joined(builder, tests, isOr));
		taken.insert(tests.parts.begin(), tests.parts.end());
	}
	for (Value *leaf : leaves) {
		if (!taken.contains(leaf))
			append(leaf);
	}
	root.replaceAllUsesWith(result);
	return true;
}

} // namespace

PreservedAnalyses MergeElementComparesPass::run(Function &function, FunctionAnalysisManager &)
{
	SmallVector<std::pair<Instruction *, bool>, 8> roots;
	for (Instruction &instruction : instructions(function)) {
		if (!instruction.getType()->isIntegerTy(1))
			continue;
		for (bool isOr : {false, true}) {
			auto is = [&](Value *value) {
				return isOr ? match(value, m_LogicalOr())
					    : match(value, m_LogicalAnd());
			};
			if (is(&instruction) &&
			    !(instruction.hasOneUse() && is(instruction.user_back())))
				roots.push_back({&instruction, isOr});
		}
	}
	SmallVector<WeakTrackingVH, 8> dead;
	for (auto [root, isOr] : roots) {
		if (join(*root, isOr))
			dead.push_back(root);
	}
	if (dead.empty())
		return PreservedAnalyses::all();
	RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
