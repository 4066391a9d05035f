# SPDX-License-Identifier: BSD-3-Clause
# Compiler flags that every target of the project shares.

set(rut_warnings
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wno-sign-conversion
    -Wdouble-promotion
    -Wstrict-prototypes
    -Wmissing-prototypes
    -Wundef
    -Wvla
    -Wnull-dereference
    -Wimplicit-fallthrough)

# clang tells at each `omp simd` loop that it leaves scalar, as it does at low optimisation
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  list(APPEND rut_warnings -Wno-pass-failed)
endif()

# One result on every compiler and CPU: no fused multiply-add behind our back, no fast-math. The
# other two let loops vectorise without changing a value. (gcc 12 fuses where it vectorises complex
# products even so, hence no FMA instructions in a native build.)
set(rut_floating_point -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd)

# Tests are many programs, each with all of librut: lld links them in a third of the time.
find_program(RUT_LLD ld.lld)
mark_as_advanced(RUT_LLD)
set(rut_quick_link "")
if(RUT_LLD)
  set(rut_quick_link -fuse-ld=lld)
endif()

# Sanitizers must cover every object of the build, so they are set for the whole tree.
if(RUT_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "RUT_FUZZ needs clang: apt-get install clang libclang-rt-dev")
  endif()
  set(RUT_SANITIZE "address,undefined")
  # beside tests, only what reads is: laws would take several times as long (rut_guide_fuzzers)
  if(RUT_WITH_TESTS STREQUAL "OFF")
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
if(RUT_SANITIZE)
  set(rut_sanitizer_flags -fsanitize=${RUT_SANITIZE} -fno-sanitize-recover=all
                          -fno-omit-frame-pointer)
  # every access to memory is checked already: where it goes through a null pointer, or leaves its
  # object, the address sanitizer stops as well, whatever arithmetic made the pointer: checks of that
  # are two fifths of the time that it takes to compile. Members of structs keep their check of bounds.
  if(RUT_SANITIZE MATCHES "address" AND RUT_SANITIZE MATCHES "undefined")
    list(APPEND rut_sanitizer_flags -fno-sanitize=null,object-size,pointer-overflow)
  endif()
  add_compile_options(${rut_sanitizer_flags})
  add_link_options(${rut_sanitizer_flags})
  add_compile_definitions(RUT_SANITIZED=1)
  # gcc follows the sanitizers' own checks and then warns about paths that cannot be taken
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND rut_warnings -Wno-null-dereference -Wno-maybe-uninitialized)
  endif()
endif()

# Let libFuzzer see which ways inputs take through the sources that read them, in this folder.
function(rut_guide_fuzzers)
  if(RUT_FUZZ AND NOT RUT_WITH_TESTS STREQUAL "OFF")
    list(FILTER ARGN INCLUDE REGEX "/src/(base|format|host|sim/spec|sim/compile)/|/cli/")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# Checks of integers for overflow keep clang from unrolling the loops of mechanics, whose integers
# count lanes and rows: a file takes a minute instead of seconds. They are in the build for the thread
# sanitizer, with gcc.
function(rut_ease_sanitizers)
  if(RUT_SANITIZE MATCHES "undefined" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    list(FILTER ARGN INCLUDE REGEX "/src/(mbd|vehicle)/")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS
                                                   -fno-sanitize=signed-integer-overflow)
  endif()
endfunction()

# What runs once, or waits for files and people, compiles with -O2 in four fifths of the time of -O3,
# and is as fast.
function(rut_spare_optimiser)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    list(FILTER ARGN INCLUDE REGEX "/src/(format|host|sim/spec|sim/compile)/|/cli/")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O2)
  endif()
endfunction()

# Language, visibility, warnings and floating point of one target.
function(rut_configure_target target)
  set_target_properties(
    ${target}
    PROPERTIES C_STANDARD 17
               C_STANDARD_REQUIRED ON
               C_EXTENSIONS OFF
               C_VISIBILITY_PRESET hidden
               POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  target_compile_options(
    ${target} PRIVATE ${rut_warnings} ${rut_floating_point} $<$<BOOL:${RUT_WERROR}>:-Werror>
                      $<$<BOOL:${RUT_NATIVE}>:-march=native;-mno-fma>)
endfunction()
