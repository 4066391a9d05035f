# SPDX-License-Identifier: BSD-3-Clause
# cmake -DPAGE=dist -DOUT=folder -DGZIP=gzip -P rut_pack_page.cmake: packs the files of the page, and
# writes page_files.c, which puts them into the program (cli/view/page.h). A page runs the scripts and
# has the styles that stand in it now and no others: its Content-Security-Policy names their hashes.
cmake_minimum_required(VERSION 3.25)

# SHA-256 of a text in base 64: 32 bytes and one more, three by three, become 44 letters, the last of
# which says nothing.
function(rut_hash text out)
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 digits "${text}")
  string(APPEND digits "00")
  set(hash "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${digits}" ${at} 6 piece)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${piece} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${index} 1 letter)
      string(APPEND hash "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${hash}" 0 43 hash)
  set(${out} "${hash}=" PARENT_SCOPE)
endfunction()

# Hashes of all scripts, and of all styles, that stand in a page.
function(rut_inline_hashes html scripts styles)
  set(script "")
  set(style "")
  while(html MATCHES "<(script|style)[^>]*>")
    set(kind "${CMAKE_MATCH_1}")
    string(FIND "${html}" "${CMAKE_MATCH_0}" at)
    string(LENGTH "${CMAKE_MATCH_0}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${html}" ${at} -1 html)
    string(FIND "${html}" "</${kind}>" length)
    string(SUBSTRING "${html}" 0 ${length} text)
    string(SUBSTRING "${html}" ${length} -1 html)
    rut_hash("${text}" hash)
    string(APPEND ${kind} " 'sha256-${hash}'")
  endwhile()
  set(${scripts} "${script}" PARENT_SCOPE)
  set(${styles} "${style}" PARENT_SCOPE)
endfunction()

# The policy of a file of the page, as an expression of C. Which pages may show it within theirs
# (frame-ancestors) the server adds.
function(rut_page_policy file out)
  set(${out} "NULL" PARENT_SCOPE)
  if(NOT file MATCHES "\\.html$")
    return()
  endif()
  file(READ "${file}" html)
  rut_inline_hashes("${html}" scripts styles)
  set(policy
      "default-src 'none'"
      "script-src${scripts}"
      "style-src${styles}"
      "img-src 'self' blob: data:"
      "connect-src 'self' blob: data:"
      "media-src blob:"
      "base-uri 'none'"
      "form-action 'none'")
  list(JOIN policy "; " policy)
  set(${out} "\"${policy}\"" PARENT_SCOPE)
endfunction()

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
  rut_page_policy("${PAGE}/${file}" policy)
  string(APPEND rows
         "    {\"${path}\", \"${file}\", view_page_begin_${i}, view_page_end_${i}, ${policy}},\n")
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
