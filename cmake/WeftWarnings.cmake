# SPDX-License-Identifier: MIT
# weft_warnings(target): the warnings that every C source of ours is free of, as errors.
function(weft_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wundef -Werror
    $<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wvla>
    $<$<COMPILE_LANG_AND_ID:C,Clang>:-Wthread-safety>)
endfunction()
