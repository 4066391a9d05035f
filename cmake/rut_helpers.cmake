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

# The library that FMUs hold: librut, of which only the functions of FMI are seen. It stands beside the
# helper programs, where rut fmu export finds it.
if(NOT RUT_OBJECTS)
  file(GLOB rut_fmu_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fmu/*.c")
  set(rut_fmu_map "${PROJECT_SOURCE_DIR}/fmu/fmi.map")
  add_library(rut_fmu MODULE ${rut_fmu_sources} $<TARGET_OBJECTS:rut_objects>)
  rut_configure_target(rut_fmu)
  set_target_properties(rut_fmu PROPERTIES OUTPUT_NAME rut-fmu PREFIX "" SUFFIX ".so" LINKER_LANGUAGE C
                                           LINK_DEPENDS "${rut_fmu_map}")
  target_include_directories(rut_fmu PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(rut_fmu PRIVATE ${RUT_LIBRARIES})
  target_link_options(rut_fmu PRIVATE "LINKER:--version-script=${rut_fmu_map}" LINKER:-Bsymbolic)
  install(
    TARGETS rut_fmu
    DESTINATION "${rut_helpers_dir}"
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()

# Runs FMUs of others that drive.
if(NOT RUT_OBJECTS)
  file(GLOB rut_cosim_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/helper/cosim/*.c")
  add_executable(rut_cosim ${rut_cosim_sources})
  rut_configure_target(rut_cosim)
  set_target_properties(rut_cosim PROPERTIES OUTPUT_NAME rut-cosim)
  target_include_directories(rut_cosim PRIVATE "${PROJECT_SOURCE_DIR}/helper" "${PROJECT_SOURCE_DIR}/fmu")
  rut_use(MINIZIP helper/cosim/unpack.c)
  target_link_libraries(rut_cosim PRIVATE rut_inside ${CMAKE_DL_LIBS} m)
  install(TARGETS rut_cosim DESTINATION "${rut_helpers_dir}")
endif()

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
