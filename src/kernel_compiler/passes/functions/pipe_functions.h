/* SPDX-License-Identifier: MIT
 *
 * The internal functions that lib/builtins' functions of pipes are written over (pipe_internal.h): their names. They are there
 * until lower-target-types, the last two until lower-waits.
 */
#ifndef WEFT_PASSES_PIPE_FUNCTIONS_H
#define WEFT_PASSES_PIPE_FUNCTIONS_H

#include <llvm/IR/Argument.h>
#include <llvm/IR/Function.h>

namespace weft
{

/* From a pipe to the address of its struct weft_pipe; a number in that; between reservations and numbers. */
constexpr llvm::StringLiteral pipeReadEndName = "__weft_pipe_read_end";
constexpr llvm::StringLiteral pipeWriteEndName = "__weft_pipe_write_end";
constexpr llvm::StringLiteral pipeFieldName = "__weft_pipe_field";
constexpr llvm::StringLiteral reservationNumberName = "__weft_reservation_number";
constexpr llvm::StringLiteral reservationName = "__weft_reservation";

constexpr llvm::StringLiteral yieldName = "__weft_yield";
constexpr llvm::StringLiteral aloneName = "__weft_alone";

/* Of functions that run once for the group and access pipes only. */
constexpr llvm::StringLiteral oncePipePrefix = "__weft_once_pipe_";

constexpr char pipeAttribute[] = "weft-pipe"; /* of a kernel's parameter; no value */

inline bool isPipe(const llvm::Argument &argument)
{
	return argument.hasAttribute(pipeAttribute);
}

} // namespace weft

#endif
