# SPDX-License-Identifier: MIT
# WEFT_SANITIZE: what -fsanitize= gets, for every target ("address,undefined" or "thread").
set(WEFT_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
endif()
