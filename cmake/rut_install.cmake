# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where: library, headers, command, completion in shells, manual, worlds,
# their schema, tools that draw, and what another project needs to find them (CMake package and
# pkg-config file).
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
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# laid out as in the source tree, since pages link to each other, to worlds and to examples
install(
  DIRECTORY docs examples
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  PATTERN "man" EXCLUDE)
install(FILES docs/man/rut.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(DIRECTORY worlds DESTINATION "${rut_data_dir}")
# pages link to them as in the source tree
foreach(linked "${rut_data_dir}/worlds" "${CMAKE_INSTALL_INCLUDEDIR}")
  cmake_path(GET linked FILENAME name)
  file(RELATIVE_PATH target "${CMAKE_INSTALL_FULL_DOCDIR}" "${CMAKE_INSTALL_PREFIX}/${linked}")
  install(
    CODE "file(CREATE_LINK \"${target}\"
          \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/${name}\" SYMBOLIC)")
endforeach()
install(PROGRAMS tools/draw_run.py tools/draw_soil.py tools/draw_suspension.py
                 tools/draw_controllers.py DESTINATION "${rut_data_dir}/tools")
install(FILES tools/raster.py DESTINATION "${rut_data_dir}/tools")

# What the command writes about itself. A command for another machine cannot be asked.
if(TARGET rut AND NOT CMAKE_CROSSCOMPILING)
  set(rut_told_dir "${PROJECT_BINARY_DIR}/told")
  file(MAKE_DIRECTORY "${rut_told_dir}")
  function(rut_tell file folder name)
    add_custom_command(
      OUTPUT "${rut_told_dir}/${file}"
      COMMAND rut doc ${ARGN} > "${rut_told_dir}/${file}"
      DEPENDS rut
      VERBATIM)
    set_property(GLOBAL APPEND PROPERTY rut_told "${rut_told_dir}/${file}")
    install(
      FILES "${rut_told_dir}/${file}"
      DESTINATION "${folder}"
      RENAME "${name}")
  endfunction()
  rut_tell(rut.xsd "${rut_data_dir}" rut.xsd --schema)
  rut_tell(rut.bash "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" rut --completion bash)
  rut_tell(rut.zsh "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" _rut --completion zsh)
  rut_tell(rut.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" rut.fish --completion fish)
  get_property(rut_told GLOBAL PROPERTY rut_told)
  add_custom_target(rut_told ALL DEPENDS ${rut_told})
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

# All that is installed, without tests.
add_custom_target(rut_product DEPENDS librut)
foreach(part rut rut_import rut_fmu rut_cosim rut_told)
  if(TARGET ${part})
    add_dependencies(rut_product ${part})
  endif()
endforeach()
