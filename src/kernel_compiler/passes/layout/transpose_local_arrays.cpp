/* SPDX-License-Identifier: MIT
 *
 * transpose-local-arrays: an array is rows of some length if each access is in a column that its indices show to be within a row.
 */
#include "layout/transpose_local_arrays.h"

#include "functions/internal_functions.h"
#include "kernel/argument_layout.h"
#include "layout/access_step.h"
#include "layout/checked_sum.h"
#include "layout/item_steps.h"
#include "layout/local_arrays.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>

#include <set>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint32_t leastItems = 16; /* along x: shorter rows share a vector */
constexpr size_t mostPitches = 8;   /* lengths of rows that are tried */
/* The cost falls to two thirds at least. */
constexpr uint64_t costFrom = 3, costTo = 2;

using Places = SmallVector<LinearPlace, 8>;

/* Where an access is: rows, and bytes from the start of its row. */
struct RowPlace {
	LinearPlace row, column;
};

/* Factors by whole rows, to the nearest, as those of columns are small; the constant is the column's. */
RowPlace split(const LinearPlace &place, int64_t pitch)
{
	RowPlace result;
	for (const auto &[term, factor] : place.terms) {
		const int64_t rows = divideFloorSigned(2 * factor + pitch, 2 * pitch);
		if (rows)
			result.row.terms[term] = rows;
		if (factor != rows * pitch)
			result.column.terms[term] = factor - rows * pitch;
	}
	result.column.constant = place.constant;
	return result;
}

class ArrayTransposer
{
      public:
	ArrayTransposer(const LocalArray &theArray, LinearPlaces &theLinear,
			const ItemSteps &theSteps, const LoopInfo &theLoops)
	    : array(theArray), linear(theLinear), steps(theSteps), loops(theLoops)
	{
	}

	/* Whether it is much better transposed. */
	bool choose()
	{
		Places places;
		for (const LocalAccess &access : array.accesses)
			places.push_back(access.place);
		const uint64_t cost = costOf(places);
		uint64_t least = cost;
		for (int64_t pitch : pitches()) {
			if (!transpose(pitch, places))
				continue;
			const uint64_t other = costOf(places);
			if (other >= least || other * costFrom > cost * costTo)
				continue;
			least = other;
			chosen = places;
		}
		return !chosen.empty();
	}

	/* All accesses, from the array's start on. */
	void apply(Value &start) const
	{
		for (const auto &[access, place] : zip_equal(array.accesses, chosen)) {
			Instruction &user = *access.instruction;
			IRBuilder<> builder(&user);
			Value *address = builder.CreateGEP(builder.getInt8Ty(), &start,
							   sumOf(builder, place));
			const bool isStore = isa<StoreInst>(user);
			user.setOperand(isStore ? StoreInst::getPointerOperandIndex() : 0, address);
			forgetAlignment(user);
		}
	}

      private:
	/* Lengths of rows, in bytes, that the terms' factors suggest: alone, and with a column's. */
	std::set<int64_t> pitches() const
	{
		std::set<int64_t> found;
		const int64_t element = array.element;
		auto add = [&](int64_t pitch) {
			if (pitch > element && array.size % uint64_t(pitch) == 0 &&
			    uint64_t(pitch) < array.size && found.size() < mostPitches)
				found.insert(pitch);
		};
		for (const LocalAccess &access : array.accesses) {
			for (const auto &[term, factor] : access.place.terms) {
				const int64_t distance = std::abs(factor);
				add(distance);
				add(distance + element);
				add(distance - element);
			}
		}
		return found;
	}

	/* No access is before the array's start or behind its end, so one whose column is within a row is in the row that its indices say. */
	bool transpose(int64_t pitch, Places &result)
	{
		const int64_t rows = int64_t(array.size) / pitch;
		result.clear();
		for (const LocalAccess &access : array.accesses) {
			auto [row, column] = split(access.place, pitch);
			const Bounds bounds = linear.boundsAt(column, *access.instruction);
			if (!bounds.least || !bounds.most)
				return false;
			row.constant = divideFloorSigned(*bounds.least, pitch);
			column.constant -= row.constant * pitch;
			if (*bounds.most > (row.constant + 1) * pitch - array.element)
				return false;
			LinearPlace place;
			if (!place.add(row, array.element) || !place.add(column, rows))
				return false;
			result.push_back(std::move(place));
		}
		return true;
	}

	/* Without loads of one place by all lanes, which cost the same wherever it is. */
	uint64_t costOf(const Places &places) const
	{
		uint64_t cost = 0;
		for (const auto &[access, place] : zip_equal(array.accesses, places)) {
			std::optional<int64_t> step = 0;
			for (const auto &[term, factor] : place.terms)
				step = checkedSum(step, steps.of(*term), factor);
			const bool isStore = isa<StoreInst>(access.instruction);
			if (step == 0 && !isStore)
				continue;
			cost += costOfStep(step, uint64_t(array.element), isStore) *
				timesRun(*access.instruction, loops);
		}
		return cost;
	}

	/* What is known of the address but that it is that of an element: the start of a row, say. */
	void forgetAlignment(Instruction &user) const
	{
		const Align element(uint64_t(1) << countr_zero(uint64_t(array.element)));
		if (auto *load = dyn_cast<LoadInst>(&user))
			load->setAlignment(std::min(load->getAlign(), element));
		else if (auto *store = dyn_cast<StoreInst>(&user))
			store->setAlignment(std::min(store->getAlign(), element));
		else if (auto *update = dyn_cast<AtomicRMWInst>(&user))
			update->setAlignment(std::min(update->getAlign(), element));
	}

	static Value *sumOf(IRBuilder<> &builder, const LinearPlace &place)
	{
		Type *wide = builder.getInt64Ty();
		Value *sum = builder.getInt64(uint64_t(place.constant));
		for (const auto &[term, factor] : place.terms) {
			Value *product = builder.CreateNSWMul(builder.CreateSExt(term, wide),
							      builder.getInt64(uint64_t(factor)));
			sum = builder.CreateNSWAdd(product, sum);
		}
		return sum;
	}

	const LocalArray &array;
	LinearPlaces &linear;
	const ItemSteps &steps;
	const LoopInfo &loops;
	Places chosen;
};

/* Ids within a group of at most that size. */
void boundIds(LinearPlaces &linear, Function &kernel, const uint32_t sizes[3])
{
	for (const Instruction &instruction : instructions(kernel)) {
		if (queryOf(instruction) != Query::LocalId)
			continue;
		const auto *dimension = dyn_cast<ConstantInt>(instruction.getOperand(0));
		if (dimension && dimension->getZExtValue() < 3)
			linear.know(instruction, 0, int64_t(sizes[dimension->getZExtValue()]) - 1);
	}
}

Value *startOf(Function &kernel, const LocalArray &array)
{
	IRBuilder<> builder(&kernel.getEntryBlock(),
			    kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
	Value *memory = createQuery(builder, Query::LocalMemory);
	return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, array.start);
}

} // namespace

PreservedAnalyses TransposeLocalArraysPass::run(Function &function,
						FunctionAnalysisManager &analyses)
{
	uint32_t sizes[3]; /* groups at an edge may be smaller */
	readSizes(function, "reqd_work_group_size", sizes);
	if (!isKernel(function) || !function.hasFnAttribute(localVariablesAttribute) ||
	    sizes[0] < leastItems)
		return PreservedAnalyses::all();
	LinearPlaces linear(analyses.getResult<ScalarEvolutionAnalysis>(function),
			    analyses.getResult<DominatorTreeAnalysis>(function));
	boundIds(linear, function, sizes);
	const ItemSteps steps(function, analyses.getResult<UniformityAnalysis>(function));
	const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
	bool changed = false;
	for (const LocalArray &array : localArrays(function, linear)) {
		ArrayTransposer transposer(array, linear, steps, loops);
		if (!array.isKnown || !transposer.choose())
			continue;
		transposer.apply(*startOf(function, array));
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
