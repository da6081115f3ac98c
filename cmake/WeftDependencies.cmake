# SPDX-License-Identifier: MIT
# What Weft is built from, from Debian alone: other OpenCL headers and loaders (a CUDA toolkit's) are not
# looked for.
find_package(Threads REQUIRED)

find_path(OPENCL_INCLUDE_DIR CL/cl_icd.h PATHS /usr/include NO_DEFAULT_PATH REQUIRED)
find_library(OPENCL_LOADER OpenCL PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib
  NO_DEFAULT_PATH REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
# JSON for libweft-schedule; the archive is for the program `weft`, which then needs no further library.
find_path(JANSSON_INCLUDE_DIR jansson.h REQUIRED)
find_library(JANSSON_LIBRARY jansson REQUIRED)
find_library(JANSSON_ARCHIVE libjansson.a REQUIRED)

# The OpenCL C front end, the passes and the linker.
set(WEFT_LLVM_DIR /usr/lib/llvm-22 CACHE PATH "Where LLVM, Clang and lld 22 are installed")
find_package(LLVM 22.1 REQUIRED CONFIG PATHS ${WEFT_LLVM_DIR}/lib/cmake/llvm NO_DEFAULT_PATH)
find_package(Clang REQUIRED CONFIG PATHS ${WEFT_LLVM_DIR}/lib/cmake/clang NO_DEFAULT_PATH)
set(WEFT_CLANG ${WEFT_LLVM_DIR}/bin/clang)
# LLVM's archives use them; linked in whole, so that opening the compiler loads no further library.
find_library(ZLIB_ARCHIVE libz.a REQUIRED)
find_library(ZSTD_ARCHIVE libzstd.a REQUIRED)

# Generates the built-in functions' overloads; standard library only.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
