// SPDX-License-Identifier: BSD-3-Clause
//
// Decimal text to the nearest double, without the C library's strtod, whose decimal point follows
// the host's locale.
#include <stdint.h>
#include <string.h>

#include "base/units.h"

enum {
  MAX_DIGITS = 800,        // 768 decide the nearest double; later ones only break ties
  MAX_EXPONENT = 1000000,  // larger ones are clamped, they overflow or vanish anyway
  MOST_POWER = 310,        // 10^310 is above, 10^-330 below every double
  LEAST_POWER = -330
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ---------------------------------------------------------------------------------------------
// Large whole numbers, just what a comparison needs

// The largest is (2^54 - 1) 10^1130, less than 3820 bits.
enum { LIMBS = 160 };

typedef struct Big {
  uint32_t limb[LIMBS];  // least first
  int n;
} Big;

static void big_multiply_add(Big* big, uint32_t factor, uint32_t term) {
  uint64_t carry = term;
  for (int i = 0; i < big->n; ++i) {
    carry += (uint64_t)big->limb[i] * factor;
    big->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry && big->n < LIMBS) big->limb[big->n++] = (uint32_t)carry;
}

static void big_multiply_power(Big* big, int power) {
  for (; power >= 9; power -= 9) big_multiply_add(big, 1000000000u, 0);
  for (; power > 0; --power) big_multiply_add(big, 10u, 0);
}

static void big_shift(Big* big, int bits) {
  const int limbs = bits / 32;
  if (limbs && big->n + limbs <= LIMBS) {
    memmove(big->limb + limbs, big->limb, (size_t)big->n * sizeof big->limb[0]);
    memset(big->limb, 0, (size_t)limbs * sizeof big->limb[0]);
    big->n += limbs;
  }
  if (bits % 32) big_multiply_add(big, 1u << (bits % 32), 0);
}

static int big_compare(const Big* a, const Big* b) {
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  for (int i = a->n - 1; i >= 0; --i) {
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  }
  return 0;
}

// ---------------------------------------------------------------------------------------------
// Text to double

// digit[0..digits) * 10^exponent, without leading zeros.
typedef struct Decimal {
  char digit[MAX_DIGITS];
  int digits, exponent;
} Decimal;

static void add_digit(Decimal* decimal, char c, bool fraction) {
  if (decimal->digits == 0 && c == '0') {
    if (fraction && decimal->exponent > -MAX_EXPONENT) decimal->exponent--;
    return;
  }
  if (decimal->digits < MAX_DIGITS) {
    decimal->digit[decimal->digits++] = c;
    if (fraction && decimal->exponent > -MAX_EXPONENT) decimal->exponent--;
    return;
  }
  // a digit too far: keep the scale, and remember that something stood there
  if (c != '0') decimal->digit[MAX_DIGITS - 1] = '1';
  if (!fraction && decimal->exponent < MAX_EXPONENT) decimal->exponent++;
}

// Read the digits of [0-9]*[.[0-9]*]; false if there is none.
static bool read_digits(const char** text, Decimal* decimal) {
  const char* p = *text;
  bool any = false, fraction = false;
  for (;; ++p) {
    if (is_digit(*p)) {
      add_digit(decimal, *p, fraction);
      any = true;
    } else if (*p == '.' && !fraction) {
      fraction = true;
    } else {
      break;
    }
  }
  *text = p;
  return any;
}

static int read_exponent(const char** text) {
  const char* p = *text;
  if (*p != 'e' && *p != 'E') return 0;
  ++p;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  if (!is_digit(*p)) return 0;
  int exponent = 0;
  for (; is_digit(*p); ++p) {
    if (exponent < MAX_EXPONENT) exponent = exponent * 10 + (*p - '0');
  }
  *text = p;
  return negative ? -exponent : exponent;
}

static const double small_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// x * 10^power within a few units in the last place.
static double scale_roughly(double x, int power) {
  static const double large_power[] = {1e16,  1e32,  1e48,  1e64,  1e80,  1e96,  1e112,
                                       1e128, 1e144, 1e160, 1e176, 1e192, 1e208, 1e224,
                                       1e240, 1e256, 1e272, 1e288, 1e304};
  const bool divide = power < 0;
  if (divide) power = -power;
  while (power > 0) {
    int step = power / 16 < 19 ? power / 16 : 19;
    const double factor = step ? large_power[step - 1] : small_power[power];
    x = divide ? x / factor : x * factor;
    power -= step ? 16 * step : power;
  }
  return x;
}

static uint64_t to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#define INFINITE_BITS UINT64_C(0x7ff0000000000000)
#define HIDDEN_BIT    UINT64_C(0x0010000000000000)

// Sign of digits * 10^exponent - mantissa * 2^power.
static int compare(const Big* digits, int exponent, uint64_t mantissa, int power) {
  Big left = *digits;
  Big right = {.limb = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)}};
  right.n = mantissa >> 32 ? 2 : 1;
  big_multiply_power(exponent >= 0 ? &left : &right, exponent >= 0 ? exponent : -exponent);
  big_shift(power >= 0 ? &right : &left, power >= 0 ? power : -power);
  return big_compare(&left, &right);
}

// Nearest double, ties to even, from one a few units away: compare exactly with the midpoints to
// the neighbours and move (Clinger, How to read floating point numbers accurately, PLDI 1990,
// AlgorithmR).
static double refine(const Decimal* decimal, double guess) {
  Big digits = {.n = 0};
  for (int i = 0; i < decimal->digits; ++i) {
    big_multiply_add(&digits, 10u, (uint32_t)(decimal->digit[i] - '0'));
  }
  uint64_t bits = to_bits(guess);
  if (bits >= INFINITE_BITS) bits = INFINITE_BITS - 1;
  for (;;) {
    const int biased = (int)(bits >> 52);
    const uint64_t fraction = bits & (HIDDEN_BIT - 1);
    const uint64_t mantissa = biased ? fraction | HIDDEN_BIT : fraction;
    const int power = biased ? biased - 1075 : -1074;
    const bool odd = mantissa & 1;
    const int above = compare(&digits, decimal->exponent, 2 * mantissa + 1, power - 1);
    if (above > 0 || (above == 0 && odd)) {
      if (++bits == INFINITE_BITS) break;
      continue;
    }
    if (mantissa == 0) break;
    // below a power of two the neighbour is half as far
    const bool close = fraction == 0 && biased > 1;
    const int below = compare(&digits, decimal->exponent, (close ? 4 : 2) * mantissa - 1,
                              power - (close ? 2 : 1));
    if (below > 0 || (below == 0 && !odd)) break;
    --bits;
  }
  return from_bits(bits);
}

// Nearest double, infinite if too large.
static double decimal_value(const Decimal* decimal) {
  const int exponent = decimal->exponent;
  if (decimal->digits == 0 || decimal->digits + exponent < LEAST_POWER) return 0.0;
  if (decimal->digits + exponent > MOST_POWER) return from_bits(INFINITE_BITS);
  const int taken = decimal->digits < 19 ? decimal->digits : 19;
  uint64_t leading = 0;
  for (int i = 0; i < taken; ++i) leading = leading * 10 + (uint64_t)(decimal->digit[i] - '0');
  if (decimal->digits <= 15 && exponent >= -22 && exponent <= 22) {
    // both factors are exact, so one rounding gives the nearest double
    const double whole = (double)leading;
    return exponent < 0 ? whole / small_power[-exponent] : whole * small_power[exponent];
  }
  return refine(decimal, scale_roughly((double)leading, exponent + decimal->digits - taken));
}

bool rut_parse_number(const char* text, double* value, const char** end) {
  const char* p = text;
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') ++p;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  Decimal decimal;
  decimal.digits = decimal.exponent = 0;
  if (!read_digits(&p, &decimal)) return false;
  decimal.exponent += read_exponent(&p);
  const double magnitude = decimal_value(&decimal);
  if (to_bits(magnitude) >= INFINITE_BITS) return false;
  *value = negative ? -magnitude : magnitude;
  *end = p;
  return true;
}
