// SPDX-License-Identifier: MIT
//
// Atomic instructions. Those of integers are LLVM's; sums and extremes of floating-point numbers are built-in functions, which
// are loops. Other accesses of floating-point numbers travel as integers, as in the library.
#include "spirv/builtins/scopes.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

class Atomic
{
	FunctionReader &function;
	const Instruction &instruction;
	IRBuilder<> &builder;
	llvm::Value *pointer;

	// The type in which a value of a type travels.
	llvm::Type *travelling(llvm::Type *type) const
	{
		instruction.require(type->isIntegerTy() || type->isFloatingPointTy(),
				    "what is accessed is no scalar number");
		unsigned bits = type->getScalarSizeInBits();
		instruction.require(bits == 8 || bits == 16 || bits == 32 || bits == 64,
				    "a number of this width has no atomic access");
		return builder.getIntNTy(bits);
	}

	Align alignment(llvm::Type *type) const
	{
		return Align(type->getScalarSizeInBits() / 8);
	}

	llvm::Value *operand(unsigned index)
	{
		llvm::Value *value = function.operand(instruction, index);
		return builder.CreateBitCast(value, travelling(value->getType()));
	}

	llvm::Type *resultType() const
	{
		const Type &type = function.resultType(instruction);
		instruction.require(!type.isOf(Type::Bfloat), "a bfloat16 has no atomic access");
		return type.llvm;
	}

	void defineTravelled(llvm::Value *value)
	{
		llvm::Type *result = resultType();
		instruction.require(travelling(result) == value->getType(),
				    "the result type is not that of the operand");
		function.define(instruction, builder.CreateBitCast(value, result));
	}

      public:
	Atomic(FunctionReader &reader, const Instruction &access)
	    : function(reader), instruction(access), builder(reader.builder),
	      pointer(reader.operand(access, 0))
	{
		access.require(pointer->getType()->isPointerTy(), "an operand is no pointer");
	}

	void load()
	{
		llvm::Type *type = travelling(resultType());
		LoadInst *load = builder.CreateAlignedLoad(type, pointer, alignment(type));
		AtomicOrdering order = ordering(function, instruction, 2);
		// A load has no release; what is left of both is to acquire.
		load->setAtomic(order == AtomicOrdering::Release ? AtomicOrdering::Monotonic
				: order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire
									  : order);
		defineTravelled(load);
	}

	void store(llvm::Value *value)
	{
		StoreInst *store =
			builder.CreateAlignedStore(value, pointer, alignment(value->getType()));
		AtomicOrdering order = ordering(function, instruction, 2);
		store->setAtomic(order == AtomicOrdering::Acquire ? AtomicOrdering::Monotonic
				 : order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release
									   : order);
	}

	void storeOperand()
	{
		store(operand(3));
	}

	llvm::Value *update(AtomicRMWInst::BinOp operation, llvm::Value *value)
	{
		return builder.CreateAtomicRMW(operation, pointer, value,
					       alignment(value->getType()),
					       ordering(function, instruction, 2));
	}

	void exchange()
	{
		defineTravelled(update(AtomicRMWInst::Xchg, operand(3)));
	}

	void updateInteger(AtomicRMWInst::BinOp operation)
	{
		llvm::Value *value = function.operand(instruction, 3);
		instruction.require(value->getType()->isIntegerTy(), "an operand is no integer");
		(void)travelling(value->getType());
		defineTravelled(update(operation, value));
	}

	// An increment or decrement, which has no operand.
	void updateByOne(AtomicRMWInst::BinOp operation)
	{
		llvm::Type *type = resultType();
		instruction.require(type->isIntegerTy(), "the result is no integer");
		defineTravelled(update(operation, ConstantInt::get(travelling(type), 1)));
	}

	void compareExchange()
	{
		llvm::Value *wanted = operand(4), *expected = operand(5);
		instruction.require(wanted->getType() == expected->getType(),
				    "value and comparator are of different types");
		AtomicOrdering unequal = ordering(function, instruction, 3);
		instruction.require(unequal != AtomicOrdering::Release &&
					    unequal != AtomicOrdering::AcquireRelease,
				    "semantics for an unequal value release");
		AtomicCmpXchgInst *exchange = builder.CreateAtomicCmpXchg(
			pointer, expected, wanted, alignment(wanted->getType()),
			ordering(function, instruction, 2), unequal);
		defineTravelled(builder.CreateExtractValue(exchange, 0));
	}

	// atomic_fetch_…_explicit of a floating-point number.
	void updateFloat(StringRef operation)
	{
		llvm::Value *value = function.operand(instruction, 3);
		std::optional<BuiltinType> type = builtinType(*value->getType(), Sign::Signed);
		if (!value->getType()->isFloatingPointTy() || !type)
			instruction.fail("an operand is no floating-point number");
		llvm::Value *place = pointer;
		if (place->getType()->getPointerAddressSpace() == 0)
			place = builder.CreateAddrSpaceCast(place, builder.getPtrTy(genericSpace));
		unsigned space = place->getType()->getPointerAddressSpace();
		std::string name = ("atomic_fetch_" + operation + "_explicit").str();
		CallInst *call =
			BuiltinCall(builder, instruction, name)
				.add(place, type->atomicPointer(space))
				.add(value, *type)
				.addEnumerant("memory_order", memoryOrder(function, instruction, 2))
				.addEnumerant("memory_scope", memoryScope(function, instruction, 1))
				.make(value->getType());
		function.define(instruction, call);
	}

	void testAndSet()
	{
		llvm::Value *before = update(AtomicRMWInst::Xchg, builder.getInt32(1));
		function.define(instruction, builder.CreateIsNotNull(before));
	}

	void clear()
	{
		store(builder.getInt32(0));
	}
};

std::optional<AtomicRMWInst::BinOp> integerOperation(spv::Op opcode)
{
	switch (opcode) {
	case spv::Op::OpAtomicIAdd:
		return AtomicRMWInst::Add;
	case spv::Op::OpAtomicISub:
		return AtomicRMWInst::Sub;
	case spv::Op::OpAtomicSMin:
		return AtomicRMWInst::Min;
	case spv::Op::OpAtomicUMin:
		return AtomicRMWInst::UMin;
	case spv::Op::OpAtomicSMax:
		return AtomicRMWInst::Max;
	case spv::Op::OpAtomicUMax:
		return AtomicRMWInst::UMax;
	case spv::Op::OpAtomicAnd:
		return AtomicRMWInst::And;
	case spv::Op::OpAtomicOr:
		return AtomicRMWInst::Or;
	case spv::Op::OpAtomicXor:
		return AtomicRMWInst::Xor;
	default:
		return std::nullopt;
	}
}

bool readUpdate(FunctionReader &function, const Instruction &instruction)
{
	if (std::optional<AtomicRMWInst::BinOp> operation = integerOperation(instruction.opcode)) {
		Atomic(function, instruction).updateInteger(*operation);
		return true;
	}
	switch (instruction.opcode) {
	case spv::Op::OpAtomicIIncrement:
		Atomic(function, instruction).updateByOne(AtomicRMWInst::Add);
		return true;
	case spv::Op::OpAtomicIDecrement:
		Atomic(function, instruction).updateByOne(AtomicRMWInst::Sub);
		return true;
	case spv::Op::OpAtomicFAddEXT:
		Atomic(function, instruction).updateFloat("add");
		return true;
	case spv::Op::OpAtomicFMinEXT:
		Atomic(function, instruction).updateFloat("min");
		return true;
	case spv::Op::OpAtomicFMaxEXT:
		Atomic(function, instruction).updateFloat("max");
		return true;
	default:
		return false;
	}
}

} // namespace

bool readAtomic(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpAtomicLoad:
		Atomic(function, instruction).load();
		return true;
	case spv::Op::OpAtomicStore:
		Atomic(function, instruction).storeOperand();
		return true;
	case spv::Op::OpAtomicExchange:
		Atomic(function, instruction).exchange();
		return true;
	case spv::Op::OpAtomicCompareExchange:
	case spv::Op::OpAtomicCompareExchangeWeak:
		Atomic(function, instruction).compareExchange();
		return true;
	case spv::Op::OpAtomicFlagTestAndSet:
		Atomic(function, instruction).testAndSet();
		return true;
	case spv::Op::OpAtomicFlagClear:
		Atomic(function, instruction).clear();
		return true;
	default:
		return readUpdate(function, instruction);
	}
}

} // namespace weft::spirv
