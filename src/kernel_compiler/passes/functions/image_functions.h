/* SPDX-License-Identifier: MIT
 *
 * The internal functions that lib/builtins' functions of images are written over (weft_internal.h). The first three are there
 * until lower-target-types. An access stays a call until widen-loops makes one call for all lanes of a vector, or
 * lower-image-calls one for a single work-item.
 */
#ifndef WEFT_PASSES_IMAGE_FUNCTIONS_H
#define WEFT_PASSES_IMAGE_FUNCTIONS_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* Of an image's or a sampler's value: the address of the struct weft_image, the weft_sampler, and a number in the former. */
constexpr char imageAddressPrefix[] = "_Z20__weft_image_address"; /* one for each type of images */
constexpr char samplerNumberName[] = "__weft_sampler_number";
constexpr char imageFieldName[] = "__weft_image_field";

constexpr char imageAttribute[] = "weft-image"; /* of a kernel's parameter: weft_arg_desc.image */
constexpr char imageAccessAttribute[] =
	"weft-image-access";                        /* beside it: enum weft_arg_qualifier */
constexpr char samplerAttribute[] = "weft-sampler"; /* of a kernel's parameter; no value */

/* Of the code of an access, which specialisations have (lib/builtins/image_access.cl), behind the function's name. Nothing
 * calls it before inline-image-accesses: until then it is visible from outside of the module. */
constexpr char imageCodeSuffix[] = "_code";
bool isImageCode(const llvm::Function &function);

enum class ImageAccess : uint8_t {
	Sample, /* at coordinates that are floats */
	Read,
	Write,
};
constexpr unsigned imageCoordinates = 4; /* x, y, z, and the level of detail */
constexpr unsigned imageChannels = 4;

std::optional<ImageAccess> imageAccessOf(const llvm::Function &function);
/* Of a call or of anything else. */
std::optional<ImageAccess> imageCallOf(const llvm::Value &value);
bool accessesImages(const llvm::BasicBlock &block);

/* Whether it leads to the structure of an image that is a kernel's argument, which is no global memory. */
bool isImageField(const llvm::Value &pointer);

/* The operands of such a call. */
llvm::Value *imageOf(const llvm::CallBase &call);
llvm::Value *samplerOf(const llvm::CallBase &call); /* NULL: it has none */
llvm::Value *coordinateOf(const llvm::CallBase &call, unsigned number);
llvm::Value *writtenTexelOf(const llvm::CallBase &call); /* NULL: it reads */
/* All that it takes beside coordinates and texels. */
bool isUniformOperand(const llvm::CallBase &call, const llvm::Use &operand);

/* Gives the function the attributes that it has in truth. */
void declareImageAccess(llvm::Function &function, ImageAccess access);

/* Calls the function of weft_image_functions for the accesses of `count` work-items that `call` makes for one. `operandOf` gives
 * the value for an operand that is the same for all. `coordinates` and `texels` are addresses of rows. */
void callImageFunction(llvm::IRBuilderBase &builder, const llvm::CallBase &call, unsigned count,
		       llvm::function_ref<llvm::Value *(llvm::Value *)> operandOf,
		       llvm::Value *coordinates, llvm::Value *texels);

} // namespace weft

#endif
