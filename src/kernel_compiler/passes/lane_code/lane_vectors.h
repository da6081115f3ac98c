/* SPDX-License-Identifier: MIT
 *
 * Vectors that hold a value for each lane, their shuffles, and accesses of neighbours in memory. A value takes one element or, if it is a packed vector
 * itself, several (laneElements): first come all elements of lane 0, then those of lane 1, and so on.
 */
#ifndef WEFT_PASSES_LANE_VECTORS_H
#define WEFT_PASSES_LANE_VECTORS_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* A vector of so many values of the type. */
llvm::FixedVectorType *lanesOf(llvm::Type *type, unsigned lanes);

/* One value for all lanes. */
llvm::Value *repeated(llvm::IRBuilder<> &at, llvm::Value *value, unsigned lanes);

/* Each element of the vector so many times, one behind the other. */
llvm::Value *spread(llvm::IRBuilder<> &at, llvm::Value *vector, unsigned elements);

/* A vector as one of numbers, each for some of its elements. Elements that have no value leave the others theirs. */
llvm::Value *asCells(llvm::IRBuilder<> &at, llvm::Value *vector, llvm::Type *cells);

/* Lane by lane `value` or `otherwise`. The mask has one element for each lane. */
llvm::Value *selected(llvm::IRBuilder<> &at, llvm::Value *mask, llvm::Value *value,
		      llvm::Value *otherwise);

/* The part of lanes from `first` on, of a vector of `width` lanes. */
llvm::Value *partOf(llvm::IRBuilder<> &at, llvm::Value *vector, unsigned width, unsigned first,
		    unsigned lanes);

/* All lanes' values, which are numbers or vectors. */
llvm::Value *vectorOfLanes(llvm::IRBuilder<> &at, llvm::ArrayRef<llvm::Value *> lanes);

/* The last of `width` lanes comes first. */
llvm::Value *reversed(llvm::IRBuilder<> &at, llvm::Value *vector, unsigned width);

/* The lanes move up by a number; the first lanes get what `filling` has there. */
llvm::Value *shiftedUp(llvm::IRBuilder<> &at, llvm::Value *vector, llvm::Value *filling,
		       unsigned width, unsigned distance);

/* base + offsets. The base is a number or an address; an address may be one for all lanes. */
llvm::Value *plusOffsets(llvm::IRBuilder<> &at, llvm::Value *base, llvm::Constant *offsets);

/* For each lane stride * (lane % row), as such offsets. */
llvm::Constant *laneOffsets(const llvm::Type &base, int64_t stride, unsigned lanes, unsigned row);

/* For each lane base + stride * lane; bytes if the base is an address. */
llvm::Value *stepped(llvm::IRBuilder<> &at, llvm::Value *base, int64_t stride, unsigned lanes);

/* base + units; bytes if the base is an address. */
llvm::Value *moved(llvm::IRBuilder<> &at, llvm::Value *base, llvm::Value *units);

/* Bytes of an element that vectors of it are made of in memory; 0 where memory has it otherwise. */
int64_t elementSize(llvm::Type *type, const llvm::DataLayout &layout);

/* A load of the type, which `source` stands for. A mask, which has one element for each lane, may be NULL. */
llvm::Value *loadLanes(llvm::IRBuilder<> &at, const llvm::LoadInst &source, llvm::Type *type,
		       llvm::Value *address, llvm::Value *mask);

/* The values at the address, as `source` stores them. A mask as above. */
void storeLanes(llvm::IRBuilder<> &at, const llvm::StoreInst &source, llvm::Value *values,
		llvm::Value *address, llvm::Value *mask);

} // namespace weft

#endif
