// SPDX-License-Identifier: MIT
//
// Images and samplers. The library's functions take a texel's format from the image, so that signed and unsigned integers are
// read and written by the same functions.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

constexpr unsigned buffer = 5; // DimBuffer

// What the target type of an image says of its shape.
struct Shape {
	unsigned dimensions; // of a level
	bool isArray, isDepth;

	explicit Shape(const TargetExtType &type)
	    : dimensions(type.getIntParameter(0) == buffer ? 1 : type.getIntParameter(0) + 1),
	      isArray(type.getIntParameter(2) == 1), isDepth(type.getIntParameter(1) == 1)
	{
	}

	unsigned components() const
	{
		return dimensions + (isArray ? 1 : 0);
	}
	// OpenCL C has no coordinates of three components.
	unsigned lanes() const
	{
		return components() == 3 ? 4 : components();
	}
};

// The operands behind the mask of an instruction on images, in the order of the mask's bits.
struct ImageOperands {
	llvm::Value *level = nullptr, *dx = nullptr, *dy = nullptr;
};

class ImageReader
{
	FunctionReader &function;
	const Instruction &instruction;
	IRBuilder<> &builder;

	const TargetExtType *opaque(llvm::Value *value, StringRef name) const
	{
		const auto *type = dyn_cast<TargetExtType>(value->getType());
		return type && type->getName() == name ? type : nullptr;
	}

	// The image and its shape; an access of an image that OpenCL C does not have finds no function.
	std::pair<llvm::Value *, Shape> image(llvm::Value *value) const
	{
		const TargetExtType *type = opaque(value, "spirv.Image");
		instruction.require(type && type->getNumIntParameters() >= 3,
				    "an operand is no image");
		unsigned dim = type->getIntParameter(0);
		instruction.require(dim < 3 || dim == buffer,
				    "a kernel has no images of this dimensionality");
		return {value, Shape(*type)};
	}

	llvm::Value *part(llvm::Value *sampledImage, unsigned index) const
	{
		if (llvm::Value *inserted = FindInsertedValue(sampledImage, index))
			return inserted;
		return builder.CreateExtractValue(sampledImage, index);
	}

	llvm::Value *sampledImage(unsigned index) const
	{
		Value value = function.value(instruction, index);
		instruction.require(value.type->is(Type::SampledImage),
				    "an operand is no sampled image");
		return value.value;
	}

	// A vector of other length: the first components, or zeros behind all.
	llvm::Value *withLanes(llvm::Value *value, unsigned lanes) const
	{
		const auto *vector = dyn_cast<FixedVectorType>(value->getType());
		unsigned given = vector ? vector->getNumElements() : 1;
		llvm::Type *element = value->getType()->getScalarType();
		if (given == lanes)
			return value;
		if (lanes == 1)
			return builder.CreateExtractElement(value, uint64_t{0});
		llvm::Value *result = Constant::getNullValue(FixedVectorType::get(element, lanes));
		for (uint64_t i = 0; i < std::min(given, lanes); i++)
			result = builder.CreateInsertElement(
				result, vector ? builder.CreateExtractElement(value, i) : value, i);
		return result;
	}

	llvm::Value *coordinate(unsigned index, const Shape &shape) const
	{
		llvm::Value *value = function.operand(instruction, index);
		llvm::Type *type = value->getType();
		instruction.require(type->getScalarType()->isFloatTy() ||
					    type->getScalarType()->isIntegerTy(32),
				    "a coordinate is neither a float nor an integer of 32 bits");
		const auto *vector = dyn_cast<FixedVectorType>(type);
		instruction.require((vector ? vector->getNumElements() : 1) >= shape.components(),
				    "a coordinate has too few components");
		return withLanes(value, shape.lanes());
	}

	ImageOperands operands(unsigned index) const
	{
		constexpr uint32_t lod = 0x2, grad = 0x4, harmless = 0x1000 | 0x2000 | 0x4000;
		ImageOperands result;
		if (index >= instruction.size())
			return result;
		uint32_t mask = instruction.literal(index++);
		instruction.require((mask & ~(lod | grad | harmless)) == 0,
				    "an image operand is not offered");
		instruction.require((mask & (lod | grad)) != (lod | grad),
				    "there are a level of detail and gradients");
		if (mask & lod)
			result.level = function.operand(instruction, index++);
		if (mask & grad) {
			result.dx = function.operand(instruction, index++);
			result.dy = function.operand(instruction, index++);
			instruction.require(result.dx->getType()->isFPOrFPVectorTy() &&
						    result.dy->getType()->isFPOrFPVectorTy(),
					    "gradients are no floating-point numbers");
		}
		instruction.require(index == instruction.size(), "it has too many operands");
		// Level 0 is what the functions without a level access.
		if (auto *level = dyn_cast_or_null<Constant>(result.level);
		    level && level->isNullValue())
			result.level = nullptr;
		return result;
	}

	// The suffix of a function for texels of a type.
	StringRef kind(llvm::Type *texel) const
	{
		llvm::Type *element = texel->getScalarType();
		if (element->isFloatTy())
			return "f";
		if (element->isHalfTy())
			return "h";
		instruction.require(
			element->isIntegerTy(32),
			"a texel does not consist of floats, halfs or integers of 32 bits");
		return "i";
	}

	// Of a depth image, OpenCL C has the first component of the texel.
	llvm::Type *texelType(llvm::Type *type, const Shape &shape) const
	{
		llvm::Type *element = type->getScalarType();
		return shape.isDepth ? element : FixedVectorType::get(element, 4);
	}

	void defineTexel(BuiltinCall &call, const Shape &shape)
	{
		llvm::Type *result = function.resultType(instruction).llvm;
		const auto *vector = dyn_cast<FixedVectorType>(result);
		instruction.require(vector ? vector->getNumElements() == 4 : shape.isDepth,
				    "a texel has no four components");
		call.setName(("read_image" + kind(result)).str());
		llvm::Value *texel = call.make(texelType(result, shape));
		function.define(instruction, vector ? withLanes(texel, 4) : texel);
	}

	llvm::Value *call(StringRef name, llvm::Value *image, llvm::Type *result) const
	{
		return BuiltinCall(builder, instruction, name).add(image).make(result);
	}

	llvm::Value *extent(llvm::Value *image, StringRef name, llvm::Value *level) const
	{
		llvm::Value *size = call(name, image, builder.getInt32Ty());
		if (!level)
			return size;
		return builder.CreateBinaryIntrinsic(
			Intrinsic::umax, builder.CreateLShr(size, level), builder.getInt32(1));
	}

	// Of a query; NULL for level 0.
	llvm::Value *queriedLevel() const
	{
		llvm::Value *level = function.operand(instruction, 1);
		instruction.require(level->getType()->isIntegerTy(), "a level is no integer");
		auto *number = dyn_cast<ConstantInt>(level);
		if (number && number->isZero())
			return nullptr;
		// A level that no image has is as the last one.
		level = builder.CreateZExtOrTrunc(level, builder.getInt32Ty());
		return builder.CreateBinaryIntrinsic(Intrinsic::umin, level, builder.getInt32(31));
	}

      public:
	ImageReader(FunctionReader &reader, const Instruction &access)
	    : function(reader), instruction(access), builder(reader.builder)
	{
	}

	void makeSampledImage()
	{
		llvm::Type *type = function.resultType(instruction).llvm;
		llvm::Value *image = function.operand(instruction, 0),
			    *sampler = function.operand(instruction, 1);
		const auto *pair = dyn_cast<StructType>(type);
		instruction.require(function.resultType(instruction).is(Type::SampledImage) &&
					    pair && pair->getElementType(0) == image->getType(),
				    "the result type is not that of this image with a sampler");
		instruction.require(opaque(sampler, "spirv.Sampler") != nullptr,
				    "an operand is no sampler");
		llvm::Value *result = builder.CreateInsertValue(PoisonValue::get(type), image, 0);
		function.define(instruction, builder.CreateInsertValue(result, sampler, 1));
	}

	void takeImage()
	{
		function.define(instruction, part(sampledImage(0), 0));
	}

	void sample()
	{
		llvm::Value *pair = sampledImage(0);
		auto [picture, shape] = image(part(pair, 0));
		ImageOperands extra = operands(2);
		BuiltinCall call(builder, instruction, "read_image");
		call.add(picture).add(part(pair, 1)).add(coordinate(1, shape), Sign::Signed);
		if (extra.level)
			call.add(extra.level);
		if (extra.dx) {
			unsigned lanes = shape.dimensions == 3 ? 4 : shape.dimensions;
			call.add(withLanes(extra.dx, lanes)).add(withLanes(extra.dy, lanes));
		}
		defineTexel(call, shape);
	}

	void read()
	{
		auto [picture, shape] = image(function.operand(instruction, 0));
		ImageOperands extra = operands(2);
		instruction.require(!extra.level && !extra.dx,
				    "a read without a sampler has a level of detail");
		BuiltinCall call(builder, instruction, "read_image");
		call.add(picture).add(coordinate(1, shape), Sign::Signed);
		defineTexel(call, shape);
	}

	void write()
	{
		auto [picture, shape] = image(function.operand(instruction, 0));
		llvm::Value *texel = function.operand(instruction, 2);
		ImageOperands extra = operands(3);
		instruction.require(!extra.dx, "a write has gradients");
		BuiltinCall call(builder, instruction,
				 ("write_image" + kind(texel->getType())).str());
		call.add(picture).add(coordinate(1, shape), Sign::Signed);
		if (extra.level)
			call.add(extra.level, Sign::Signed);
		call.add(withLanes(texel, shape.isDepth ? 1 : 4), Sign::Signed);
		call.make(builder.getVoidTy());
	}

	void querySize(bool hasLevel)
	{
		static constexpr StringRef names[] = {"get_image_width", "get_image_height",
						      "get_image_depth"};
		auto [picture, shape] = image(function.operand(instruction, 0));
		llvm::Value *level = hasLevel ? queriedLevel() : nullptr;
		llvm::Type *type = function.resultType(instruction).llvm;
		instruction.require(type->isIntOrIntVectorTy(), "the result is no integer");
		SmallVector<llvm::Value *, 4> sizes;
		for (unsigned i = 0; i < shape.dimensions; i++)
			sizes.push_back(extent(picture, names[i], level));
		if (shape.isArray)
			sizes.push_back(
				call("get_image_array_size", picture, builder.getInt64Ty()));
		const auto *vector = dyn_cast<FixedVectorType>(type);
		instruction.require((vector ? vector->getNumElements() : 1) == sizes.size(),
				    "the result has not the components of the image's size");
		llvm::Type *element = type->getScalarType();
		llvm::Value *result = PoisonValue::get(type);
		for (size_t i = 0; i < sizes.size(); i++) {
			llvm::Value *size = builder.CreateZExtOrTrunc(sizes[i], element);
			result = vector ? builder.CreateInsertElement(result, size, i) : size;
		}
		function.define(instruction, result);
	}

	// Numbers of OpenCL C, of which the first is 0 in SPIR-V.
	void queryNumber(StringRef name, uint32_t first)
	{
		llvm::Value *picture = image(function.operand(instruction, 0)).first;
		llvm::Value *number = call(name, picture, builder.getInt32Ty());
		llvm::Type *type = function.resultType(instruction).llvm;
		instruction.require(type->isIntegerTy(), "the result is no integer");
		number = builder.CreateSub(number, builder.getInt32(first));
		function.define(instruction, builder.CreateZExtOrTrunc(number, type));
	}
};

bool readQuery(FunctionReader &function, const Instruction &instruction)
{
	constexpr uint32_t firstOrder = 0x10B0, firstType = 0x10D0; // CLK_R, CLK_SNORM_INT8
	switch (instruction.opcode) {
	case spv::Op::OpImageQueryFormat:
		ImageReader(function, instruction)
			.queryNumber("get_image_channel_data_type", firstType);
		return true;
	case spv::Op::OpImageQueryOrder:
		ImageReader(function, instruction)
			.queryNumber("get_image_channel_order", firstOrder);
		return true;
	case spv::Op::OpImageQueryLevels:
		ImageReader(function, instruction).queryNumber("get_image_num_mip_levels", 0);
		return true;
	case spv::Op::OpImageQuerySizeLod:
		ImageReader(function, instruction).querySize(true);
		return true;
	case spv::Op::OpImageQuerySize:
		ImageReader(function, instruction).querySize(false);
		return true;
	default:
		return false;
	}
}

} // namespace

llvm::Value *makeConstantSampler(FunctionReader &function, const Instruction &constant)
{
	uint32_t addressing = constant.literal(0), normalised = constant.literal(1),
		 filter = constant.literal(2);
	constant.require(addressing <= 4, "unknown addressing mode");
	constant.require(normalised <= 1, "a sampler's coordinates are neither normalised nor not");
	constant.require(filter <= 1, "unknown filter mode");
	// CLK_ADDRESS_…, CLK_NORMALIZED_COORDS_… and CLK_FILTER_…
	uint32_t bits = addressing << 1 | normalised | (filter + 1) << 4;
	return function.call("__translate_sampler_initializer",
			     function.module.resultType(constant).llvm,
			     {function.builder.getInt32(bits)});
}

bool readImage(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpSampledImage:
		ImageReader(function, instruction).makeSampledImage();
		return true;
	case spv::Op::OpImage:
		ImageReader(function, instruction).takeImage();
		return true;
	case spv::Op::OpImageSampleExplicitLod:
		ImageReader(function, instruction).sample();
		return true;
	case spv::Op::OpImageRead:
		ImageReader(function, instruction).read();
		return true;
	case spv::Op::OpImageWrite:
		ImageReader(function, instruction).write();
		return true;
	default:
		return readQuery(function, instruction);
	}
}

} // namespace weft::spirv
