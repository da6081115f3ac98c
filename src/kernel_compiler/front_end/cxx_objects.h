/* SPDX-License-Identifier: MIT
 *
 * Destructors of program-scope objects, as Clang makes them for C++ for OpenCL.
 */
#ifndef WEFT_CXX_OBJECTS_H
#define WEFT_CXX_OBJECTS_H

namespace llvm
{
class Module;
} // namespace llvm

namespace weft
{

/* Clang's function that destroys an object with a place in an address space passes NULL as the object: it gets the object's address.
 * The module does not verify before. */
void passDestroyedObjects(llvm::Module &module);

} // namespace weft

#endif
