# SPDX-License-Identifier: MIT
# What `cmake --install` puts where. Everything finds its neighbours relative to itself, so that the folder
# may be moved: libweft.so looks for the compiler beside itself, weft.icd names the library without a path
# (the linker's search path finds it), the .pc and CMake files count from where they lie.
include(CMakePackageConfigHelpers)

set(WEFT_VENDORS_DIR ${CMAKE_INSTALL_SYSCONFDIR}/OpenCL/vendors)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(TARGETS weft LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP)
install(TARGETS weft_schedule LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES src/schedule/spec/schedule.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
install(TARGETS weft_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET weft_kernel_compiler)
  install(TARGETS weft_kernel_compiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# All that `cmake --install` takes, without tests and examples; for packages.
if(TARGET weft_kernel_compiler)
  add_custom_target(weft_installation
    DEPENDS weft weft_schedule weft_kernel_compiler weft_program weft_documents weft_builtins_file)
endif()

# What is installed is stripped; symbols go to .debug/NAME.debug beside it, where gdb, perf and valgrind look, and which may
# be left out. Each is made from the build's library, so that `cmake --install --strip` gives the same.
foreach(target weft weft_kernel_compiler weft_schedule)
  if(TARGET ${target})
    install(CODE "
      set(built \"$<TARGET_FILE:${target}>\")
      set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
      set(symbols \"\${folder}/.debug/$<TARGET_FILE_NAME:${target}>.debug\")
      file(MAKE_DIRECTORY \"\${folder}/.debug\")
      message(STATUS \"Installing: \${symbols}\")
      execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --only-keep-debug \"\${built}\" \"\${symbols}\"
        COMMAND_ERROR_IS_FATAL ANY)
      execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --strip-unneeded \"--add-gnu-debuglink=\${symbols}\"
        \"\${folder}/$<TARGET_FILE_NAME:${target}>\" COMMAND_ERROR_IS_FATAL ANY)")
  endif()
endforeach()
install(FILES cmake/valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)

if(EXISTS ${PROJECT_SOURCE_DIR}/include/CL)
  install(DIRECTORY include/CL DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

set(WEFT_ICD_LIBRARY libweft.so.1 CACHE STRING "What weft.icd names: the driver's library, with or without a path")
file(WRITE ${PROJECT_BINARY_DIR}/install/weft.icd "${WEFT_ICD_LIBRARY}\n")
install(FILES ${PROJECT_BINARY_DIR}/install/weft.icd DESTINATION ${WEFT_VENDORS_DIR})

# From where the .pc file lies back to the prefix.
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
cmake_path(IS_ABSOLUTE WEFT_VENDORS_DIR vendors_absolute)
if(vendors_absolute)
  set(pc_vendors ${WEFT_VENDORS_DIR})
else()
  set(pc_vendors "\${prefix}/${WEFT_VENDORS_DIR}")
endif()
configure_file(cmake/weft.pc.in install/weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/install/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/weft-config.cmake.in install/weft-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS WEFT_VENDORS_DIR CMAKE_INSTALL_LIBDIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/weft-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/weft-config.cmake
  ${PROJECT_BINARY_DIR}/install/weft-config-version.cmake DESTINATION ${package_dir})
