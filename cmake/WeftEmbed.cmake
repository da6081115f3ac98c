# SPDX-License-Identifier: MIT
# weft_embed(file symbol output): a C++ source that defines `symbol`, the bytes of `file` and a terminating
# zero, and `symbol`_size, the bytes without it.
function(weft_embed file symbol output)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT "/* Generated from ${file}. */
#include <cstddef>
namespace weft
{
extern const unsigned char ${symbol}[];
extern const size_t ${symbol}_size;
const unsigned char ${symbol}[] = {
${bytes}0x00};
const size_t ${symbol}_size = sizeof(${symbol}) - 1;
} // namespace weft
")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()
