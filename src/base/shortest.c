// SPDX-License-Identifier: BSD-3-Clause
//
// Shortest decimal of a double: R. Giulietti, The Schubfach way to render doubles, 2021.
//
// A double c 2^q stands for all numbers nearer to it than to its neighbours. With k =
// floor(log10(2^q)), the numbers there that are multiples of 10^k are at most ten; one of them, or
// of those that are multiples of 10^(k+1), is the shortest. All that is to be known are the
// quarters c - 1/2, c, c + 1/2 times 2^q 10^-k: whole numbers with "and something more" as their
// last bit suffice to compare them with.
#include <stdint.h>
#include <string.h>

#include "base/units.h"

typedef struct Power {
  uint64_t high, low;
} Power;

enum { FIRST_POWER = -292 };
static const Power power_of_ten[] = {
#define POWER(high, low) {UINT64_C(high), UINT64_C(low)},
#include "base/powers_of_ten.def"
#undef POWER
};

// floor(log10(2^q)), floor(log10(3/4 2^q)) and floor(log2(10^k)) within the exponents of doubles.
// Shifts of negative numbers round down with every compiler that rut is built by.
static int log10_of_power_of_2(int q) { return (q * 1262611) >> 22; }
static int log10_of_three_quarters(int q) { return (q * 1262611 - 524031) >> 22; }
static int log2_of_power_of_10(int k) { return (k * 1741647) >> 19; }

// High and low half of a product.
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t* low) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 Wide;
  const Wide product = (Wide)a * b;
  *low = (uint64_t)product;
  return (uint64_t)(product >> 64);
#else
  const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  const uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
  *low = middle << 32 | (uint32_t)p00;
  return p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
#endif
}

// floor(g c / 2^128), its last bit set if something is left over.
static uint64_t round_to_odd(Power g, uint64_t c) {
  uint64_t low, ignored;
  const uint64_t carry = multiply(g.low, c, &ignored);
  uint64_t high = multiply(g.high, c, &low);
  low += carry;
  high += low < carry;
  return high | (low > 1);
}

rutDecimal rut_shortest_decimal(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t fraction = bits & UINT64_C(0xfffffffffffff);
  const int biased = (int)(bits >> 52 & 0x7ff);
  const uint64_t c = biased ? fraction | UINT64_C(0x10000000000000) : fraction;
  const int q = biased ? biased - 1075 : -1074;
  if (c == 0) return (rutDecimal){0, 0};

  // below a power of two the neighbour is half as far
  const bool close_below = fraction == 0 && biased > 1;
  const int k = close_below ? log10_of_three_quarters(q) : log10_of_power_of_2(q);
  const int shift = q + log2_of_power_of_10(-k) + 1;
  const Power g = power_of_ten[-k - FIRST_POWER];
  const uint64_t below = round_to_odd(g, (4 * c - 2 + close_below) << shift);
  const uint64_t middle = round_to_odd(g, 4 * c << shift);
  const uint64_t above = round_to_odd(g, (4 * c + 2) << shift);
  // the ends of the interval are read back as an even c only
  const uint64_t lower = below + (c & 1), upper = above - (c & 1);

  const uint64_t s = middle / 4;
  if (s >= 10) {
    const uint64_t tens = s / 10;
    const bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (down != up) return (rutDecimal){tens + up, k + 1};
  }
  const bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
  if (down != up) return (rutDecimal){s + up, k};
  const uint64_t half = 4 * s + 2;
  const bool round_up = middle > half || (middle == half && (s & 1) != 0);
  return (rutDecimal){s + round_up, k};
}

// ---------------------------------------------------------------------------------------------
// Text

enum { MAX_DIGITS = 17 };

static const uint64_t whole_power[] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
};

// Of numbers below 10^18. Most have 15 to 17.
static int count_digits(uint64_t n) {
  int digits = MAX_DIGITS + 1;
  while (digits > 1 && n < whole_power[digits - 1]) digits--;
  return digits;
}

// Round to at most `digits` digits, halves to even, and drop zeros at the end. Returns the number
// of digits.
static int trim(rutDecimal* decimal, int digits) {
  const int surplus = count_digits(decimal->digits) - digits;
  if (surplus > 0) {
    const uint64_t unit = whole_power[surplus], rest = decimal->digits % unit;
    decimal->digits /= unit;
    decimal->exponent += surplus;
    const bool up = 2 * rest > unit || (2 * rest == unit && decimal->digits % 2);
    decimal->digits += up;
  }
  while (decimal->digits && decimal->digits % 10 == 0) {
    decimal->digits /= 10;
    decimal->exponent++;
  }
  return count_digits(decimal->digits);
}

// The last `digits` digits of a number, two at a time.
static void put_short(char* text, uint32_t n, int digits) {
  int i = digits;
  for (; i >= 2; n /= 100) {
    const unsigned pair = n % 100;
    text[--i] = (char)('0' + pair % 10);
    text[--i] = (char)('0' + pair / 10);
  }
  if (i) text[0] = (char)('0' + n % 10);
}

// In parts of eight digits, whose divisions are short and do not wait for each other.
static char* put_digits(char* text, uint64_t n, int digits) {
  int left = digits;
  for (; left > 8; left -= 8, n /= 100000000) {
    put_short(text + left - 8, (uint32_t)(n % 100000000), 8);
  }
  put_short(text, (uint32_t)n, left);
  return text + digits;
}

static char* put_zeros(char* text, int n) {
  for (int i = 0; i < n; i++) *text++ = '0';
  return text;
}

// d.ddde+XX
static char* put_scientific(char* text, const char* digit, int n, int exponent) {
  *text++ = digit[0];
  if (n > 1) {
    *text++ = '.';
    memcpy(text, digit + 1, (size_t)n - 1);
    text += n - 1;
  }
  *text++ = 'e';
  *text++ = exponent < 0 ? '-' : '+';
  const int size = exponent < 0 ? -exponent : exponent;
  return put_digits(text, (uint64_t)size, size < 100 ? 2 : 3);
}

static char* put_text(char* text, const char* from, int n) {
  memcpy(text, from, (size_t)n);
  return text + n;
}

// 0.00ddd, dd.ddd or ddd00; the leading digit counts 10^exponent.
static char* put_fixed(char* text, const char* digit, int n, int exponent) {
  const int whole = exponent + 1;
  if (whole >= n) return put_zeros(put_text(text, digit, n), whole - n);
  if (whole > 0) {
    text = put_text(text, digit, whole);
    *text++ = '.';
    return put_text(text, digit + whole, n - whole);
  }
  text = put_zeros(put_text(text, "0.", 2), -whole);
  return put_text(text, digit, n);
}

size_t rut_write_number(double value, int digits, char text[RUT_NUMBER_SIZE]) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  char* to = text;
  if (value != value) {
    memcpy(text, "nan", 3);
    return 3;
  }
  if (bits >> 63) *to++ = '-';
  if ((bits >> 52 & 0x7ff) == 0x7ff) {
    memcpy(to, "inf", 3);
    return (size_t)(to + 3 - text);
  }
  rutDecimal decimal = rut_shortest_decimal(value);
  const int n = trim(&decimal, digits < 1 || digits > MAX_DIGITS ? MAX_DIGITS : digits);
  char digit[MAX_DIGITS + 3];
  put_digits(digit, decimal.digits, n);
  // as printf's %g does with this many digits, at least 15
  const int exponent = decimal.exponent + n - 1;
  const int most = n > 15 ? n : 15;
  to = exponent < -4 || exponent >= most ? put_scientific(to, digit, n, exponent)
                                         : put_fixed(to, digit, n, exponent);
  return (size_t)(to - text);
}

void rut_format_number(double value, char text[32]) {
  text[rut_write_number(value, MAX_DIGITS, text)] = '\0';
}
