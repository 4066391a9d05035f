# SPDX-License-Identifier: BSD-3-Clause
# Helper programs, which librut starts for files that take libraries of others (src/base/child.h).
# In a build they stand beside the command, installed in libexec/rut.
set(rut_helpers_dir "${CMAKE_INSTALL_LIBEXECDIR}/rut")

# Where librut looks from the folders of the command and of the library, so that an installed tree
# can be moved.
foreach(from BIN LIB)
  file(RELATIVE_PATH rut_helpers_from_${from} "${CMAKE_INSTALL_FULL_${from}DIR}"
       "${CMAKE_INSTALL_FULL_LIBEXECDIR}/rut")
endforeach()
set_source_files_properties(
  src/base/child.c
  PROPERTIES
    COMPILE_DEFINITIONS
    "RUT_HELPERS_FROM_BIN=\"${rut_helpers_from_BIN}\";RUT_HELPERS_FROM_LIB=\"${rut_helpers_from_LIB}\";RUT_HELPERS_FOLDER=\"${CMAKE_INSTALL_FULL_LIBEXECDIR}/rut\""
)

# Reads meshes with assimp. It stands alone: what it needs of librut is one file.
if(RUT_USE_ASSIMP)
  file(GLOB rut_import_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/helper/*.c")
  add_executable(rut_import ${rut_import_sources} src/base/dynamic.c)
  rut_configure_target(rut_import)
  set_target_properties(rut_import PROPERTIES OUTPUT_NAME rut-import)
  target_include_directories(
    rut_import PRIVATE "${PROJECT_SOURCE_DIR}/helper" "${PROJECT_SOURCE_DIR}/src"
                       "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
  rut_use(ASSIMP helper/read_mesh.c)
  target_link_libraries(rut_import PRIVATE ${CMAKE_DL_LIBS} m)
  install(TARGETS rut_import DESTINATION "${rut_helpers_dir}")
endif()
