// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How often a test repeats what is drawn at random, or differs in numbers only. Sanitizers see ways
// through the code, not numbers: the first repetitions take those ways, and a step takes ten times
// as long there.
static inline int repetitions(int all, int under_sanitizers) {
#ifdef RUT_SANITIZED
  (void)all;
  return under_sanitizers;
#else
  (void)under_sanitizers;
  return all;
#endif
}

// What one thread does alone is nothing to the thread sanitizer, which takes thirty times as long.
static inline int without_threads(int all, int under_thread_sanitizer) {
#ifdef __SANITIZE_THREAD__
  (void)all;
  return under_thread_sanitizer;
#else
  (void)under_thread_sanitizer;
  return all;
#endif
}
