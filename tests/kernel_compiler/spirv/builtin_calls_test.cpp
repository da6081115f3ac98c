/* SPDX-License-Identifier: MIT
 *
 * Tests of built-in functions as the SPIR-V reader calls them: names are as Clang mangles them, every instruction of
 * OpenCL.std has its function for all types, and the calls fit the functions.
 */
#include "link/builtins_library.h"
#include "spirv/builtins/builtin_calls.h"
#include "spirv/builtins/extended_instructions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#undef fail /* a function of instructions has this name */
}

using namespace llvm;
using namespace weft::spirv;

namespace
{

// A module with one function, in which calls are made.
struct Code {
	LLVMContext llvm;
	Module module{"test", llvm};
	Function *function = Function::Create(FunctionType::get(Type::getVoidTy(llvm), false),
					      GlobalValue::ExternalLinkage, "calls", module);
	IRBuilder<> builder{BasicBlock::Create(llvm, "", function)};
	std::string log;

	Type *vector(Type *element, unsigned lanes)
	{
		return lanes > 1 ? FixedVectorType::get(element, lanes) : element;
	}

	// An OpExtInst with values of these types, and then literals. False when it is refused.
	bool extended(uint32_t number, Type *result, const std::vector<Type *> &types,
		      const std::vector<uint32_t> &literals)
	{
		std::vector<uint32_t> words = {1, number};
		words.resize(2 + types.size());
		words.insert(words.end(), literals.begin(), literals.end());
		weft::spirv::Instruction instruction;
		instruction.opcode = spv::Op::OpExtInst;
		instruction.operands = words;
		auto operand = [&](unsigned index) -> Value * {
			(void)instruction.literal(index);
			if (index - 2 >= types.size())
				instruction.fail("no value");
			return UndefValue::get(types[index - 2]);
		};
		try {
			readOpenCLStd({instruction, builder, operand, result});
			return true;
		} catch (const Fault &fault) {
			log = fault.text;
			return false;
		}
	}
};

struct Row {
	uint32_t number;
	const char *name;
	const char *signature;
};

constexpr Row rows[] = {
#define OPENCL_STD(number, name, signature) {number, name, signature},
#include "spirv/builtins/opencl_std.def"
#undef OPENCL_STD
};

bool startsWith(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

bool isOneOf(const char *name, std::initializer_list<const char *> names)
{
	for (const char *other : names)
		if (strcmp(name, other) == 0)
			return true;
	return false;
}

// Whether OpenCL C has the function for this type of its first operand; `data` is that of the result, where V or h stands.
bool isDefined(const Row &row, const Type &element, unsigned lanes)
{
	unsigned bits = element.getScalarSizeInBits();
	if (startsWith(row.name, "native_") || startsWith(row.name, "half_") ||
	    startsWith(row.name, "fast_"))
		if (!element.isFloatTy())
			return false;
	if (isOneOf(row.name, {"distance", "length", "normalize", "fast_distance", "fast_length",
			       "fast_normalize"}))
		return lanes <= 4;
	if (strcmp(row.name, "cross") == 0)
		return lanes == 3 || lanes == 4;
	if (startsWith(row.name, "shuffle"))
		return lanes != 1 && lanes != 3;
	if (isOneOf(row.name, {"mul24", "mad24"}))
		return bits == 32;
	if (strcmp(row.name, "upsample") == 0)
		return bits < 64;
	if (startsWith(row.name, "vload_half") || startsWith(row.name, "vloada_half") ||
	    startsWith(row.name, "vstore_half") || startsWith(row.name, "vstorea_half")) {
		bool isVector = strchr(row.name, '#') != nullptr;
		if (bits == 16 || (lanes > 1 && !isVector) || (lanes == 1 && isVector))
			return false;
		return row.signature[0] == 'v' || element.isFloatTy();
	}
	return !strchr(row.name, '#') || lanes > 1;
}

unsigned lanesOf(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	return vector ? vector->getNumElements() : 1;
}

// What an operand's letter takes when the first operand, or the result, is `first`.
Type *operandType(Code &code, char letter, Type *first, unsigned space)
{
	switch (letter) {
	case 'z':
		return code.builder.getInt64Ty();
	case 's':
	case 'u':
		if (first->getScalarType()->isIntegerTy())
			return first;
		return nullptr;
	case 'f':
	case 'x':
		return first;
	default:
		return PointerType::get(code.llvm, space);
	}
}

// The integers beside floats: exponents are int, masks and conditions have the width of what they choose from.
Type *integerBeside(Code &code, const Row &row, Type *first)
{
	bool isExponent = strchr(row.signature, 's') != nullptr;
	return code.vector(isExponent ? code.builder.getInt32Ty()
				      : code.builder.getIntNTy(first->getScalarSizeInBits()),
			   lanesOf(*first));
}

Type *expectedResult(Code &code, const Row &row, Type *first)
{
	unsigned lanes = lanesOf(*first), bits = first->getScalarSizeInBits();
	switch (row.signature[0]) {
	case '.':
		return first->getScalarType();
	case 'i':
		return code.vector(code.builder.getInt32Ty(), lanes);
	case 'n':
		return code.vector(bits == 16   ? code.builder.getHalfTy()
				   : bits == 32 ? code.builder.getFloatTy()
						: code.builder.getDoubleTy(),
				   lanes);
	case 'w':
		return code.vector(code.builder.getIntNTy(2 * bits), lanes);
	case 'v':
		return code.builder.getVoidTy();
	default:
		return first;
	}
}

bool callRow(Code &code, const Row &row, Type *first, unsigned space)
{
	std::vector<Type *> types;
	std::vector<uint32_t> literals;
	for (const char *letter = row.signature + 1; *letter; letter++) {
		Type *type = operandType(code, *letter, first, space);
		types.push_back(type ? type : integerBeside(code, row, first));
	}
	if (row.signature[0] != 'v' && strchr(row.name, '#'))
		literals.push_back(lanesOf(*first));
	if (strchr(row.name, '%'))
		literals.push_back(lanesOf(*first) % 4);
	return code.extended(row.number, expectedResult(code, row, first), types, literals);
}

// Spaces of the pointers that a row has: one for a row without any.
std::vector<unsigned> spacesOf(const Row &row)
{
	if (strpbrk(row.signature + 1, "ed"))
		return {0, 1, 2, 3, 4};
	if (strpbrk(row.signature + 1, "pioD"))
		return {0, 1, 3, 4};
	return {0};
}

// How many calls there are of it for this type of elements.
unsigned callForAllLanes(Code &code, const Row &row, Type &element)
{
	unsigned calls = 0;
	for (unsigned lanes : {1u, 2u, 3u, 4u, 8u, 16u}) {
		if (!isDefined(row, element, lanes))
			continue;
		for (unsigned space : spacesOf(row)) {
			calls++;
			callRow(code, row, code.vector(&element, lanes), space);
			assert_string_equal(code.log.c_str(), "");
		}
	}
	return calls;
}

void everyInstructionHasItsFunctionForAllTypes(void **)
{
	Code code;
	Type *types[] = {code.builder.getHalfTy(),   code.builder.getFloatTy(),
			 code.builder.getDoubleTy(), code.builder.getInt8Ty(),
			 code.builder.getInt16Ty(),  code.builder.getInt32Ty(),
			 code.builder.getInt64Ty()};
	for (const Row &row : rows) {
		unsigned calls = 0;
		// What decides: the first operand that is a number, or the result of a load.
		const char *decides = strpbrk(row.signature[0] == 'V'   ? "x"
					      : row.signature[0] == 'h' ? "f"
									: row.signature + 1,
					      "fsux");
		for (Type *element : types) {
			if (*decides == 'f' ? !element->isFloatingPointTy()
					    : *decides != 'x' && !element->isIntegerTy())
				continue;
			if (strcmp(row.name, "nan") == 0 && element->getScalarSizeInBits() == 8)
				continue;
			calls += callForAllLanes(code, row, *element);
		}
		assert_true(calls > 0);
	}
	code.builder.CreateRetVoid();

	assert_true(code.module.size() > 3000);
	std::string log;
	assert_true(weft::linkBuiltins(code.module, weft::Precompiled::None, log));
	for (const llvm::Instruction &instruction : instructions(*code.function))
		if (const auto *call = dyn_cast<CallInst>(&instruction)) {
			const Function *callee = call->getCalledFunction();
			assert_non_null(callee);
			assert_ptr_equal(callee->getFunctionType(), call->getFunctionType());
		}
	assert_false(verifyModule(code.module));
}

void operandsThatDoNotFitAreRefused(void **)
{
	Code code;
	Type *number = code.builder.getFloatTy(), *integer = code.builder.getInt32Ty(),
	     *pointer = PointerType::get(code.llvm, 1), *pair = code.vector(number, 2),
	     *five = code.vector(number, 5), *nothing = code.builder.getVoidTy();
	constexpr uint32_t cos = 14, fract = 30, clamp = 95, abs = 141, vload = 171,
			   vstoreHalf = 176, printf = 184;
	const struct {
		uint32_t instruction;
		Type *result;
		std::vector<Type *> types;
		std::vector<uint32_t> literals;
	} cases[] = {
		{cos, number, {}, {}},
		{cos, number, {number, number}, {}},
		{cos, number, {integer}, {}},
		{cos, integer, {number}, {}},
		{cos, five, {five}, {}},
		{cos, nothing, {number}, {}},
		{fract, number, {number, integer}, {}},
		{clamp, number, {number, number, pair}, {}},
		{abs, integer, {number}, {}},
		{abs, code.builder.getInt1Ty(), {code.builder.getInt1Ty()}, {}},
		{vload, pair, {integer, pointer}, {}},
		{vload, pair, {integer, pointer}, {3}},
		{vload, pair, {integer, pointer}, {0}},
		{vload, pair, {integer, pointer}, {0xffffffff}},
		{vload, pair, {number, pointer}, {2}},
		{vload, pointer, {integer, pointer}, {1}},
		{vstoreHalf, nothing, {number, integer, pointer}, {4}},
		{printf, number, {PointerType::get(code.llvm, 2)}, {}},
		{printf, integer, {}, {}},
		{printf, integer, {pointer}, {}},
		{188, number, {number}, {}},
		{0xffffffff, number, {number}, {}},
	};
	for (const auto &row : cases) {
		code.log.clear();
		assert_false(code.extended(row.instruction, row.result, row.types, row.literals));
		assert_true(!code.log.empty());
	}
}

BuiltinType signedType(const Type &type)
{
	const std::optional<BuiltinType> made = builtinType(type, Sign::Signed);
	assert_true(made.has_value());
	return made.value_or(BuiltinType());
}

// Names from Clang's output for spir64.
void namesAreClangs(void **)
{
	LLVMContext llvm;
	Type *number = Type::getFloatTy(llvm), *integer = Type::getInt32Ty(llvm),
	     *pair = FixedVectorType::get(number, 2);
	BuiltinType floats = signedType(*pair), real = signedType(*number),
		    whole = signedType(*integer);
	assert_string_equal(mangleBuiltin("get_work_dim", {}).c_str(), "_Z12get_work_dimv");
	assert_string_equal(mangleBuiltin("fract", {floats, floats.pointer(1)}).c_str(),
			    "_Z5fractDv2_fPU3AS1S_");
	assert_string_equal(mangleBuiltin("clamp", {floats, real, real}).c_str(),
			    "_Z5clampDv2_fff");
	BuiltinType order = namedType("memory_order");
	assert_string_equal(
		mangleBuiltin("atomic_compare_exchange_strong_explicit",
			      {whole.atomicPointer(1), whole.pointer(0), whole, order, order})
			.c_str(),
		"_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPii12memory_orderS4_");
	Type *array = TargetExtType::get(llvm, "spirv.Image", {Type::getVoidTy(llvm)},
					 {1, 1, 1, 0, 0, 0, 0});
	Type *sampler = TargetExtType::get(llvm, "spirv.Sampler");
	assert_string_equal(
		mangleBuiltin("read_imagef", {signedType(*array), signedType(*sampler), floats})
			.c_str(),
		"_Z11read_imagef26ocl_image2d_array_depth_ro11ocl_samplerDv2_f");
	assert_false(builtinType(*Type::getIntNTy(llvm, 24), Sign::Signed).has_value());
}

} // namespace

int main()
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(namesAreClangs),
		cmocka_unit_test(operandsThatDoNotFitAreRefused),
		cmocka_unit_test(everyInstructionHasItsFunctionForAllTypes),
	};
	return cmocka_run_group_tests(tests, nullptr, nullptr);
}
