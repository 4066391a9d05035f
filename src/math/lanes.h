// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over lanes: arrays are [item][lane], and one loop over the lanes does the same arithmetic
// for each. The lane count is a compile-time constant of the inlined functions, so that eight lanes
// become vector code and one lane becomes scalar code, with the same bits.
#ifndef RUT_MATH_LANES_H
#define RUT_MATH_LANES_H

#include "math/vec.h"

// A loop over lanes: no lane depends on another.
#define RUT_FOR_LANES(lane, lanes) _Pragma("omp simd") for (int lane = 0; lane < (lanes); ++lane)

// A short loop of constant length, unrolled so that a loop over lanes around it becomes vector
// code; under sanitizers, whose checks multiply with it, it would only take long to compile.
#if defined(RUT_SANITIZED)
#define RUT_UNROLL
#elif defined(__clang__)
#define RUT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RUT_UNROLL _Pragma("GCC unroll 8")
#endif

// Compiles a function once per vector unit; the loader picks one.
#if !defined(RUT_NO_CLONES) && !defined(RUT_SANITIZED) && defined(__x86_64__) && \
    defined(__linux__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__AVX2__)
#if !defined(__clang__) && __GNUC__ >= 12
// with 32 registers and masks for short vectors too
#define RUT_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#elif (defined(__clang__) && __clang_major__ >= 14) || (!defined(__clang__) && __GNUC__ >= 11)
#define RUT_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef RUT_CLONES
#define RUT_CLONES
#endif

// Gives every lane of an item the same value.
RUT_INLINE void rut_fill_row(double* row, int lanes, double value) {
  for (int lane = 0; lane < lanes; ++lane) row[lane] = value;
}
RUT_INLINE rutVec3 rut_load_vec3(const double* a, int lanes, int lane) {
  return rut_vec3(a[lane], a[lanes + lane], a[2 * lanes + lane]);
}
RUT_INLINE void rut_store_vec3(double* a, int lanes, int lane, rutVec3 v) {
  a[lane] = v.x;
  a[lanes + lane] = v.y;
  a[2 * lanes + lane] = v.z;
}
RUT_INLINE rutMat3 rut_load_mat3(const double* a, int n, int l) {
  return (rutMat3){{a[l], a[n + l], a[2 * n + l], a[3 * n + l], a[4 * n + l], a[5 * n + l],
                    a[6 * n + l], a[7 * n + l], a[8 * n + l]}};
}
RUT_INLINE void rut_store_mat3(double* a, int n, int l, rutMat3 b) {
  a[l] = b.m[0];
  a[n + l] = b.m[1];
  a[2 * n + l] = b.m[2];
  a[3 * n + l] = b.m[3];
  a[4 * n + l] = b.m[4];
  a[5 * n + l] = b.m[5];
  a[6 * n + l] = b.m[6];
  a[7 * n + l] = b.m[7];
  a[8 * n + l] = b.m[8];
}

#endif  // RUT_MATH_LANES_H
