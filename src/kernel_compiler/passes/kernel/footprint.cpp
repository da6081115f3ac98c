/* SPDX-License-Identifier: MIT
 *
 * The footprint as metadata of its kernel: one string of bytes.
 */
#include "kernel/footprint.h"

#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

static constexpr char footprintMetadata[] = "weft.footprint";

template <typename Row> static void append(std::string &bytes, ArrayRef<Row> added)
{
	bytes.append(reinterpret_cast<const char *>(added.data()), added.size() * sizeof(Row));
}

static void setBytes(Function &kernel, const std::string &bytes)
{
	LLVMContext &context = kernel.getContext();
	kernel.setMetadata(footprintMetadata, MDNode::get(context, MDString::get(context, bytes)));
}

void setUnknownFootprint(Function &kernel)
{
	const weft_footprint header = {0, 0, 0, 1, 0, 0};
	std::string bytes;
	append(bytes, ArrayRef(header));
	setBytes(kernel, bytes);
}

void setFootprint(Function &kernel, ArrayRef<weft_footprint_node> nodes,
		  ArrayRef<weft_footprint_condition> conditions,
		  ArrayRef<weft_footprint_access> accesses, ArrayRef<weft_footprint_block> blocks)
{
	const weft_footprint header = {uint32_t(nodes.size()),      uint32_t(accesses.size()),
				       uint32_t(conditions.size()), 0,
				       uint32_t(blocks.size()),     0};
	std::string bytes;
	append(bytes, ArrayRef(header));
	append(bytes, nodes);
	append(bytes, accesses);
	append(bytes, conditions);
	append(bytes, blocks);
	setBytes(kernel, bytes);
}

StringRef footprintOf(const Function &kernel)
{
	const MDNode *node = kernel.getMetadata(footprintMetadata);
	return node ? cast<MDString>(node->getOperand(0))->getString() : StringRef();
}

} // namespace weft
