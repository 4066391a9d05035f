// SPDX-License-Identifier: BSD-3-Clause
#include "math/sobol.h"

enum { BITS = 32, MOST_DEGREE = 18 };

typedef struct Polynomial {
  uint32_t degree, coefficients, initial[MOST_DEGREE];
} Polynomial;

static const Polynomial table[RUT_SOBOL_DIMENSIONS - 1] = {
#define X(s, a, ...) {s, a, {__VA_ARGS__}},
#include "math/joe_kuo.def"
#undef X
};

// Direction numbers v_k = m_k / 2^k of a dimension, as 32 bits behind the point. With the
// polynomial x^s + a_1 x^(s-1) + ... + 1 they follow from the s before them: v_k = a_1 v_(k-1) ^
// ... ^ a_(s-1) v_(k-s+1) ^ v_(k-s) ^ v_(k-s) / 2^s (Bratley and Fox, ACM TOMS 14, 1988).
static void directions(int dimension, uint32_t v[BITS]) {
  if (dimension == 0) {
    for (int k = 0; k < BITS; k++) v[k] = UINT32_C(1) << (BITS - 1 - k);
    return;
  }
  const Polynomial* p = &table[dimension - 1];
  const int s = (int)p->degree;
  for (int k = 0; k < s; k++) v[k] = p->initial[k] << (BITS - 1 - k);
  for (int k = s; k < BITS; k++) {
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (int i = 1; i < s; i++) {
      if (p->coefficients >> (s - 1 - i) & 1u) v[k] ^= v[k - i];
    }
  }
}

uint32_t rut_sobol(uint32_t index, int dimension) {
  uint32_t v[BITS], x = 0;
  directions(dimension, v);
  for (int k = 0; index; k++, index >>= 1) {
    if (index & 1u) x ^= v[k];
  }
  return x;
}
