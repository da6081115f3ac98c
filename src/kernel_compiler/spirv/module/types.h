/* SPDX-License-Identifier: MIT
 *
 * The types of a module. Two ids may be types that LLVM does not tell apart: signed and unsigned integers, all pointers to one
 * address space. What is read through a type is decided here alone.
 */
#ifndef WEFT_SPIRV_TYPES_H
#define WEFT_SPIRV_TYPES_H

#include "spirv/binary/words.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Type.h"

namespace weft::spirv
{

struct Type {
	enum Kind {
		Void,
		Bool,
		Int,
		Float,
		Bfloat, /* 16 bits: converted, moved and stored, but not computed with (SPV_KHR_bfloat16) */
		Vector,
		Array,
		Struct,
		Pointer,
		Function,
		Image,
		Sampler,
		SampledImage,
		Event,
		DeviceEvent,
		ReserveId,
		Queue,
		Pipe,
		Other /* without values that an instruction reads: opaque structures and the like */
	};

	Kind kind = Void;
	Id id = 0;
	llvm::Type *llvm = nullptr;
	unsigned bits = 0;     /* Int and Float */
	bool isSigned = false; /* Int: what the module says, which few instructions ask for */
	/* Of vectors and arrays; what a pointer leads to (NULL: it has no type, or one that is not there yet); what a function
	 * returns; the image of a sampled image. */
	const Type *element = nullptr;
	uint64_t count = 0;                         /* elements of a vector or array */
	llvm::SmallVector<const Type *, 0> members; /* of a structure; a function's parameters */
	spv::StorageClass storage = spv::StorageClass::Function; /* Pointer */
	Instruction instruction;                                 /* what made it */

	/* Bounds of what a module can ask for by nesting. */
	uint64_t size = 0;   /* bytes, at least; 0: it has none */
	uint64_t leaves = 1; /* how many parts it has */
	unsigned depth = 0;  /* structures and arrays within each other */

	/* This, or the type of a vector's components. */
	const Type &scalar() const
	{
		return kind == Vector ? *element : *this;
	}

	bool is(Kind wanted) const
	{
		return kind == wanted;
	}

	/* A number, truth value or pointer, or a vector of these. */
	bool isOf(Kind wanted) const
	{
		return scalar().kind == wanted;
	}

	bool isAggregate() const
	{
		return kind == Array || kind == Struct;
	}
};

/* A value that is taken apart or put together part by part must have a number of parts that code can be made for; a constant,
 * one that each operation on it can copy. */
constexpr uint64_t mostPartsOfValue = 4096, mostPartsOfConstant = 256;

/* The address space of a storage class in the form of docs/kernel_ir.md. Variables of storage class Input lie in private memory
 * (builtin_variables.h). */
unsigned addressSpaceOf(const Instruction &user, spv::StorageClass storage);
constexpr unsigned genericSpace = 4;

} // namespace weft::spirv

#endif
