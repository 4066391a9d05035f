# SPDX-License-Identifier: BSD-3-Clause
# cmake -DPAGE=dist -DOUT=folder -DGZIP=gzip -P rut_pack_page.cmake: packs the files of the page, and
# writes page_files.c, which puts them into the program (cli/view/page.h).
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${OUT}")
file(MAKE_DIRECTORY "${OUT}")
file(GLOB_RECURSE files RELATIVE "${PAGE}" "${PAGE}/*")
if(NOT "index.html" IN_LIST files)
  message(FATAL_ERROR "the page in ${PAGE} has no index.html")
endif()

set(blobs "")
set(externs "")
set(rows "")
set(i 0)
foreach(file IN LISTS files)
  set(gz "${OUT}/file_${i}.gz")
  execute_process(COMMAND "${GZIP}" -9 -n -c "${PAGE}/${file}" OUTPUT_FILE "${gz}"
                  COMMAND_ERROR_IS_FATAL ANY)
  set(path "/${file}")
  if(file STREQUAL "index.html")
    set(path "/")
  endif()
  string(APPEND blobs
         "    \"view_page_begin_${i}: .incbin \\\"${gz}\\\"\\n\"\n"
         "    \"view_page_end_${i}: .byte 0\\n\"\n")
  string(APPEND externs "extern const unsigned char view_page_begin_${i}[], view_page_end_${i}[];\n")
  string(APPEND rows "    {\"${path}\", \"${file}\", view_page_begin_${i}, view_page_end_${i}},\n")
  math(EXPR i "${i} + 1")
endforeach()

file(
  WRITE "${OUT}/page_files.c"
  "// Made by cmake/rut_pack_page.cmake.
#include \"view/page.h\"

__asm__(
    \".pushsection .rodata\\n\"
    \".balign 16\\n\"
${blobs}    \".popsection\\n\");

${externs}
const viewPageFile view_page_files[] = {
${rows}};
const size_t view_page_count = sizeof view_page_files / sizeof view_page_files[0];
")
