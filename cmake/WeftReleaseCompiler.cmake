# SPDX-License-Identifier: MIT
# Included by sanitizer builds in place of the kernel compiler's folder: LLVM is not sanitized. Takes
# libweft-compiler.so from the release preset, and builds that if necessary.
set(release ${PROJECT_SOURCE_DIR}/build/release)
add_custom_target(weft_release_compiler ALL
  COMMAND sh -c "test -e '${release}/build.ninja' || '${CMAKE_COMMAND}' --preset release"
  COMMAND ${CMAKE_COMMAND} --build --preset release --target weft_kernel_compiler
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/lib
  COMMAND ${CMAKE_COMMAND} -E create_symlink ${release}/lib/libweft-compiler.so
    ${PROJECT_BINARY_DIR}/lib/libweft-compiler.so
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL VERBATIM)
