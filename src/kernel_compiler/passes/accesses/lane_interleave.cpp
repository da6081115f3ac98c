/* SPDX-License-Identifier: MIT
 *
 * The shuffles between structures and vectors of their elements.
 */
#include "accesses/lane_interleave.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

unsigned lanesOf(const Value *vector)
{
	return cast<FixedVectorType>(vector->getType())->getNumElements();
}

/* Every second bit. */
SmallBitVector half(const SmallBitVector &wanted, unsigned odd)
{
	SmallBitVector result(wanted.size() / 2);
	for (unsigned i = 0; i < result.size(); i++)
		result[i] = wanted[2 * i + odd];
	return result;
}

/* Lane by lane from the vector and the element that `place` says; from each vector one shuffle. */
Value *collect(IRBuilder<> &at, const Vectors &vectors,
	       function_ref<std::pair<unsigned, unsigned>(unsigned)> place)
{
	unsigned lanes = lanesOf(vectors[0]);
	Value *result = nullptr;
	for (auto [number, vector] : enumerate(vectors)) {
		SmallVector<int, 32> mask;
		bool some = false;
		for (unsigned lane = 0; lane < lanes; lane++) {
			auto [from, element] = place(lane);
			bool here = from == number;
			int kept = result ? int(lane) : PoisonMaskElem;
			mask.push_back(!here ? kept : int(result ? lanes + element : element));
			some |= here;
		}
		if (some && result)
			result = at.CreateShuffleVector(result, vector, mask);
		else if (some)
			result = at.CreateShuffleVector(vector, mask);
	}
	return result;
}

/* Every second element of two vectors, elements being so many of theirs. */
Value *alternate(IRBuilder<> &at, Value *low, Value *high, unsigned first, unsigned unit)
{
	SmallVector<int, 32> mask;
	for (unsigned lane = 0; lane < lanesOf(low); lane++)
		mask.push_back(int((2 * (lane / unit) + first) * unit + lane % unit));
	return at.CreateShuffleVector(low, high, mask);
}

/* The elements of two vectors in turn, from one half of each, or of each of their parts. */
Value *zip(IRBuilder<> &at, Value *even, Value *odd, bool upper, unsigned part)
{
	SmallVector<int, 32> mask;
	unsigned lanes = lanesOf(even);
	for (unsigned i = 0; i < lanes; i++) {
		unsigned start = i / part * part + (upper ? part / 2 : 0);
		mask.push_back(int(start + i % part / 2 + i % 2 * lanes));
	}
	return at.CreateShuffleVector(even, odd, mask);
}

/* As many vectors as the rows have elements: of so many groups of `part` rows, each one's next row. */
Vectors joinRows(IRBuilder<> &at, const Vectors &rows, unsigned part)
{
	auto each = unsigned(rows.size()) / lanesOf(rows[0]);
	Vectors result;
	for (unsigned first = 0; first < rows.size(); first += each * part) {
		for (unsigned row = first; row < first + part; row++) {
			Vectors some;
			for (unsigned i = 0; i < each; i++)
				some.push_back(rows[row + i * part]);
			result.push_back(concatenateVectors(at, some));
		}
	}
	return result;
}

} // namespace

Vectors deinterleave(IRBuilder<> &at, const Vectors &memory, const SmallBitVector &wanted,
		     unsigned unit)
{
	auto count = unsigned(memory.size());
	unsigned lanes = lanesOf(memory[0]);
	Vectors result(count, nullptr);
	if (count == 1) {
		result[0] = memory[0];
		return result;
	}
	if (count % 2 == 1) {
		for (unsigned element : wanted.set_bits())
			result[element] = collect(at, memory, [&](unsigned lane) {
				unsigned place = lane * count + element;
				return std::make_pair(place / lanes, place % lanes);
			});
		return result;
	}
	for (unsigned odd = 0; odd < 2; odd++) {
		SmallBitVector some = half(wanted, odd);
		Vectors parts;
		if (some.none())
			continue;
		for (unsigned i = 0; i < count; i += 2)
			parts.push_back(alternate(at, memory[i], memory[i + 1], odd, unit));
		parts = deinterleave(at, parts, some, unit);
		for (unsigned i = 0; i < count / 2; i++)
			result[2 * i + odd] = parts[i];
	}
	return result;
}

Vectors transpose(IRBuilder<> &at, const Vectors &rows)
{
	unsigned columns = lanesOf(rows[0]);
	unsigned part = 128 / rows[0]->getType()->getScalarSizeInBits();
	Vectors parts = joinRows(at, rows, part);
	for (unsigned step = 1; step < part; step *= 2) {
		Vectors next;
		for (unsigned first = 0; first < columns; first += part) {
			for (unsigned i = first; i < first + part / 2; i++) {
				next.push_back(zip(at, parts[i], parts[i + part / 2], false, part));
				next.push_back(zip(at, parts[i], parts[i + part / 2], true, part));
			}
		}
		parts = next;
	}
	Vectors result(columns, nullptr);
	for (unsigned i = 0; i < part; i++) {
		Vectors same;
		for (unsigned first = i; first < columns; first += part)
			same.push_back(parts[first]);
		SmallBitVector all(columns / part, true);
		for (auto [number, vector] : enumerate(deinterleave(at, same, all, part)))
			result[number * part + i] = vector;
	}
	return result;
}

Vectors interleave(IRBuilder<> &at, const Vectors &elements)
{
	auto count = unsigned(elements.size());
	unsigned lanes = lanesOf(elements[0]);
	Vectors result, evens, odds;
	if (count == 1)
		return elements;
	if (count % 2 == 1) {
		for (unsigned i = 0; i < count; i++)
			result.push_back(collect(at, elements, [&](unsigned lane) {
				unsigned place = i * lanes + lane;
				return std::make_pair(place % count, place / count);
			}));
		return result;
	}
	for (unsigned i = 0; i < count; i += 2) {
		evens.push_back(elements[i]);
		odds.push_back(elements[i + 1]);
	}
	evens = interleave(at, evens);
	odds = interleave(at, odds);
	for (unsigned i = 0; i < count / 2; i++) {
		result.push_back(zip(at, evens[i], odds[i], false, lanes));
		result.push_back(zip(at, evens[i], odds[i], true, lanes));
	}
	return result;
}

unsigned interleavingCost(const SmallBitVector &wanted)
{
	unsigned count = wanted.size();
	if (wanted.none() || count == 1)
		return 0;
	if (count % 2 == 1)
		return wanted.count() * (count - 1);
	unsigned cost = 0;
	for (unsigned odd = 0; odd < 2; odd++) {
		SmallBitVector some = half(wanted, odd);
		cost += some.any() ? count / 2 + interleavingCost(some) : 0;
	}
	return cost;
}

} // namespace weft
