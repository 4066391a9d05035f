# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where: library, headers, command, manual, worlds, and what another
# project needs to find them (CMake package and pkg-config file).
include(CMakePackageConfigHelpers)

set(rut_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rut")
set(rut_data_dir "${CMAKE_INSTALL_DATADIR}/rut")

install(TARGETS librut EXPORT rut_targets)
install(
  DIRECTORY include/rut "${PROJECT_BINARY_DIR}/include/rut"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING
  PATTERN "*.h")
if(TARGET rut)
  if(BUILD_SHARED_LIBS)
    # the command finds the library beside itself, wherever the tree is moved
    file(RELATIVE_PATH rut_libdir "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(rut PROPERTIES INSTALL_RPATH "$ORIGIN/${rut_libdir}")
  endif()
  install(TARGETS rut)
endif()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

if(EXISTS "${PROJECT_SOURCE_DIR}/worlds")
  install(DIRECTORY worlds DESTINATION "${rut_data_dir}")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/docs/man/rut.1")
  install(FILES docs/man/rut.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/tools/rut.bash-completion")
  install(
    FILES tools/rut.bash-completion
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
    RENAME rut)
endif()

# A static librut leaves the linking of its libraries to its user, a shared one does not. The
# package files below say so in both cases.
install(
  EXPORT rut_targets
  FILE rutTargets.cmake
  NAMESPACE rut::
  DESTINATION "${rut_cmake_dir}")
configure_package_config_file(cmake/rutConfig.cmake.in rutConfig.cmake INSTALL_DESTINATION
                              "${rut_cmake_dir}")
write_basic_package_version_file(rutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rutConfig.cmake" "${PROJECT_BINARY_DIR}/rutConfigVersion.cmake"
        DESTINATION "${rut_cmake_dir}")

# Path from the folder of rut.pc to the prefix, so that an installed tree can be moved.
file(RELATIVE_PATH rut_pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" rut_pc_prefix "${rut_pc_prefix}")
list(JOIN RUT_PC_REQUIRES " " rut_pc_requires)
if(BUILD_SHARED_LIBS)
  set(rut_pc_dependencies "Requires.private: ${rut_pc_requires}\nLibs: -L\${libdir} -lrut")
else()
  set(rut_pc_dependencies "Requires: ${rut_pc_requires}\nLibs: -L\${libdir} -lrut -pthread -ldl -lm")
endif()
configure_file(cmake/rut.pc.in rut.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/rut.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
