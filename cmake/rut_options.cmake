# SPDX-License-Identifier: BSD-3-Clause
# What a user may choose. Tri-state options: AUTO takes what is there, ON insists, OFF never looks.

option(BUILD_SHARED_LIBS "Build librut as a shared library" OFF)
option(RUT_WERROR "Treat warnings as errors" OFF)
option(RUT_NATIVE "Use every instruction of this machine; results stay the same, bit for bit" OFF)
option(RUT_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
set(RUT_OBJECTS
    ""
    CACHE PATH "Folder of a build whose objects of librut are taken instead of compiling them again")
set(RUT_SANITIZE
    ""
    CACHE STRING "Sanitizers, as in -fsanitize=: address,undefined or thread")

function(rut_tristate name default doc)
  set(${name} ${default} CACHE STRING "${doc}: AUTO, ON or OFF")
  set_property(CACHE ${name} PROPERTY STRINGS AUTO ON OFF)
  if(NOT "${${name}}" MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${name} is '${${name}}'; it may be AUTO, ON or OFF")
  endif()
endfunction()

rut_tristate(RUT_WITH_ASSIMP AUTO "Read meshes with assimp")
rut_tristate(RUT_WITH_GD AUTO "Read further image formats with gd")
rut_tristate(RUT_WITH_SQLITE AUTO "Keep results of rut sweep with SQLite")
rut_tristate(RUT_WITH_MINIZIP AUTO "Write and run FMUs with minizip")
rut_tristate(RUT_WITH_DDS AUTO "Topics of ROS 2 with Cyclone DDS")
rut_tristate(RUT_WITH_SUITESPARSE AUTO "Compare all joints as constraints in rut bench formulations")
rut_tristate(RUT_WITH_EMBREE AUTO "Compare rays with Embree in rut bench rays_map, rays_mesh and a test")
rut_tristate(RUT_WITH_VIEWER AUTO "Build rut view (libwebsockets, jansson, npm)")
if(PROJECT_IS_TOP_LEVEL)
  rut_tristate(RUT_WITH_TESTS AUTO "Build the tests (cmocka, Python 3)")
else()
  rut_tristate(RUT_WITH_TESTS OFF "Build the tests (cmocka, Python 3)")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
