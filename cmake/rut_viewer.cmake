# SPDX-License-Identifier: BSD-3-Clause
# The viewer of the command: a server (cli/view) on libwebsockets and jansson, and a page (web/) that
# npm builds and the build packs into the command, so that it needs no files beside it.
#
# What npm fetches, it fetches while configuring: where that fails, the viewer is left out. The page
# itself is built with the rest. RUT_VIEWER_PAGE names a folder with a page that was built before,
# for machines without npm or network.
set(RUT_VIEWER_PAGE
    ""
    CACHE PATH "Folder with the viewer's built page (web/dist of another build); empty: build it")

set(rut_viewer_missing "")
set(rut_page_build "${PROJECT_BINARY_DIR}/web")

# Fetch the packages of the page, unless they are there for this very list.
function(rut_fetch_page_packages)
  set(lock "${PROJECT_SOURCE_DIR}/web/package-lock.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${lock}")
  file(SHA256 "${lock}" wanted)
  set(stamp "${rut_page_build}/packages.sha256")
  if(EXISTS "${stamp}")
    file(READ "${stamp}" fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  message(STATUS "rut: fetching the packages of the viewer's page")
  file(MAKE_DIRECTORY "${rut_page_build}")
  configure_file("${PROJECT_SOURCE_DIR}/web/package.json" "${rut_page_build}/package.json" COPYONLY)
  configure_file("${lock}" "${rut_page_build}/package-lock.json" COPYONLY)
  execute_process(
    COMMAND "${rut_npm}" ci --no-audit --no-fund --prefer-offline
    WORKING_DIRECTORY "${rut_page_build}"
    OUTPUT_FILE "${rut_page_build}/npm.log"
    ERROR_FILE "${rut_page_build}/npm.log"
    RESULT_VARIABLE failed)
  if(failed)
    set(rut_viewer_missing "npm ci failed, see ${rut_page_build}/npm.log" PARENT_SCOPE)
  else()
    file(WRITE "${stamp}" "${wanted}")
  endif()
endfunction()

# What the viewer needs and does not find, in rut_viewer_missing.
macro(rut_find_viewer_parts)
  pkg_check_modules(WEBSOCKETS QUIET IMPORTED_TARGET libwebsockets)
  pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson)
  find_program(rut_npm npm)
  find_program(rut_node node)
  if(NOT WEBSOCKETS_FOUND)
    set(rut_viewer_missing "apt-get install libwebsockets-dev")
  elseif(NOT JANSSON_FOUND)
    set(rut_viewer_missing "apt-get install libjansson-dev")
  elseif(RUT_VIEWER_PAGE)
    if(NOT EXISTS "${RUT_VIEWER_PAGE}/index.html")
      set(rut_viewer_missing "${RUT_VIEWER_PAGE} has no index.html")
    endif()
  elseif(NOT rut_npm OR NOT rut_node)
    set(rut_viewer_missing "apt-get install npm")
  else()
    rut_fetch_page_packages()
  endif()
endmacro()

set(RUT_USE_VIEWER FALSE)
if(RUT_WITH_VIEWER STREQUAL "OFF")
  rut_note(viewer off "rut view")
else()
  rut_find_viewer_parts()
  if(NOT rut_viewer_missing)
    set(RUT_USE_VIEWER TRUE)
    # loaded when the viewer starts, by the name under which the loader knows it
    find_library(rut_websockets_file websockets HINTS ${WEBSOCKETS_LIBRARY_DIRS} REQUIRED)
    rut_note(viewer "${WEBSOCKETS_VERSION}" "rut view (libwebsockets)")
  elseif(RUT_WITH_VIEWER STREQUAL "ON")
    message(FATAL_ERROR "RUT_WITH_VIEWER is ON: ${rut_viewer_missing}")
  else()
    rut_note(viewer off "rut view (${rut_viewer_missing})")
  endif()
endif()

# Build the page, and pack it into a source file of a target.
function(rut_embed_page target)
  set(packed "${PROJECT_BINARY_DIR}/page")
  set(pack "${PROJECT_SOURCE_DIR}/cmake/rut_pack_page.cmake")
  find_program(rut_gzip gzip REQUIRED)
  if(RUT_VIEWER_PAGE)
    set(page "${RUT_VIEWER_PAGE}")
    file(GLOB_RECURSE parts CONFIGURE_DEPENDS "${page}/*")
  else()
    set(page "${rut_page_build}/dist")
    set(parts "${rut_page_build}/built")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/src/*"
         "${PROJECT_SOURCE_DIR}/web/public/*")
    file(GLOB roots CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*.html"
         "${PROJECT_SOURCE_DIR}/web/*.ts" "${PROJECT_SOURCE_DIR}/web/*.json")
    # in a copy, so that the source tree stays as it is
    add_custom_command(
      OUTPUT "${parts}"
      COMMAND "${CMAKE_COMMAND}" "-DFROM=${PROJECT_SOURCE_DIR}/web" "-DTO=${rut_page_build}" -P
              "${PROJECT_SOURCE_DIR}/cmake/rut_copy_page.cmake"
      COMMAND "${rut_npm}" run --silent build -- --logLevel warn
      COMMAND "${CMAKE_COMMAND}" -E touch "${parts}"
      DEPENDS ${sources} ${roots} "${PROJECT_SOURCE_DIR}/cmake/rut_copy_page.cmake"
      WORKING_DIRECTORY "${rut_page_build}"
      COMMENT "Building the viewer's page"
      VERBATIM)
  endif()
  add_custom_command(
    OUTPUT "${packed}/page_files.c"
    COMMAND "${CMAKE_COMMAND}" "-DPAGE=${page}" "-DOUT=${packed}" "-DGZIP=${rut_gzip}" -P "${pack}"
    DEPENDS ${parts} "${pack}"
    COMMENT "Packing the viewer's page"
    VERBATIM)
  target_sources(${target} PRIVATE "${packed}/page_files.c")
endfunction()
