# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFROM=web -DTO=build/web -P rut_copy_page.cmake: copies the sources of the page to where its
# packages are. What is no longer in FROM goes.
cmake_minimum_required(VERSION 3.25)
file(GLOB old "${TO}/src" "${TO}/public" "${TO}/*.html" "${TO}/*.ts" "${TO}/dist")
if(old)
  file(REMOVE_RECURSE ${old})
endif()
file(GLOB items "${FROM}/*.html" "${FROM}/*.ts" "${FROM}/*.json")
foreach(folder src public)
  if(EXISTS "${FROM}/${folder}")
    list(APPEND items "${FROM}/${folder}")
  endif()
endforeach()
file(COPY ${items} DESTINATION "${TO}")
