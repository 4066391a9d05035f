// SPDX-License-Identifier: BSD-3-Clause
//
// Elementary functions. Those that can enter a state are our own polynomials, plain C without
// branches that depend on data, so that every compiler, CPU and lane count gives the same bits and
// loops over lanes vectorise. This header is the only caller of libm, and only of its exact
// functions (sqrt, fabs, copysign).
//
// Method: argument reduction with the constants split in parts whose products are exact (Cody and
// Waite, Software Manual for the Elementary Functions, 1980), then a polynomial whose coefficients
// come from a Remez exchange on the relative error (the bound stands beside each). Errors are below
// 2 ulp unless a function says otherwise. NaN gives NaN, and so does an argument outside a domain.
// The build must not contract a*b+c (-ffp-contract=off) nor assume associativity.
#ifndef RUT_MATH_RUT_MATH_H
#define RUT_MATH_RUT_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define RUT_PI 3.14159265358979323846
// Infinity and quiet NaN as doubles (those of math.h are floats).
#define RUT_INFINITY ((double)INFINITY)
#define RUT_NAN      ((double)NAN)

// A limit that is none, where infinity times 0 would be NaN.
#define RUT_NO_LIMIT 1e300
// Least divisor of a quotient whose divisor may be 0.
#define RUT_LEAST_DIVISOR 1e-300

// Sanitizers make large functions slow to compile, and are not yet running when a loader chooses
// among versions of a function.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RUT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define RUT_SANITIZED 1
#endif
#endif

// Functions that must vanish into their callers' loops, so that these become vector code.
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(RUT_SANITIZED)
#define RUT_INLINE static inline __attribute__((always_inline, unused))
#elif defined(__GNUC__)
#define RUT_INLINE static inline __attribute__((unused))
#else
#define RUT_INLINE static inline
#endif

// clang warns of each loop that it leaves scalar; that is a matter of speed, not of correctness.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

// ---------------------------------------------------------------------------------------------
// Exact helpers

// Bits of a double, and the double with given bits.
RUT_INLINE uint64_t rut_bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
RUT_INLINE double rut_from_bits(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

RUT_INLINE double rut_sqrt(double x) { return sqrt(x); }
RUT_INLINE double rut_abs(double x) { return fabs(x); }
// Magnitude of x with the sign of s.
RUT_INLINE double rut_copysign(double x, double s) { return copysign(x, s); }
// Smaller and larger of two numbers; b if either is NaN.
RUT_INLINE double rut_min(double a, double b) { return a < b ? a : b; }
RUT_INLINE double rut_max(double a, double b) { return a > b ? a : b; }
// x limited to [low, high]; NaN stays NaN.
RUT_INLINE double rut_clamp(double x, double low, double high) {
  const double y = x < low ? low : x;
  return y > high ? high : y;
}
// -1, 0 or 1; 0 for NaN.
RUT_INLINE double rut_sign(double x) { return (x > 0.0 ? 1.0 : 0.0) - (x < 0.0 ? 1.0 : 0.0); }
// sqrt(x^2 + y^2), without care for overflow above 1e154.
RUT_INLINE double rut_hypot(double x, double y) { return sqrt(x * x + y * y); }
// 1 if x is neither infinite nor NaN.
RUT_INLINE int rut_is_finite(double x) { return x - x == 0.0; }

// Adding 1.5 * 2^52 rounds to the nearest integer and leaves it, in two's complement, in the low
// bits of the sum. Valid below 2^51.
#define RUT_ROUND_SHIFT 6755399441055744.0
RUT_INLINE double rut_round_small(double x) { return (x + RUT_ROUND_SHIFT) - RUT_ROUND_SHIFT; }
// Largest integer not above x.
RUT_INLINE double rut_floor(double x) {
  const double size = fabs(x);
  // Adding 2^52 rounds what is below it.
  const double nearest = copysign((size + 4503599627370496.0) - 4503599627370496.0, x);
  const double down = nearest > x ? nearest - 1.0 : nearest;
  return size < 4503599627370496.0 ? down : x;
}
// 2^k for an integer k in [-1022, 1023].
RUT_INLINE double rut_power_of_two(double k) {
  return rut_from_bits(rut_bits(k + 4503599627371519.0) << 52);  // 2^52 + 1023
}
// Product p + e of a and b without error (Dekker, Numer. Math. 18, 1971), for sizes below 1e290.
RUT_INLINE void rut_two_product(double a, double b, double* p, double* e) {
  const double at = a * 134217729.0, bt = b * 134217729.0;  // 2^27 + 1
  const double ah = at - (at - a), al = a - ah;
  const double bh = bt - (bt - b), bl = b - bh;
  const double ab = a * b;
  *p = ab;
  *e = ((ah * bh - ab) + ah * bl + al * bh) + al * bl;
}

// ---------------------------------------------------------------------------------------------
// Trigonometric functions

// Kernels on the reduced interval |r| <= pi/4 + 1e-4 for the angle r + low, |low| < ulp(r).
// Remez: sin r = r + r^3 P(r^2), 2^-57.9; cos r = 1 - r^2/2 + r^4 Q(r^2), 2^-64.
RUT_INLINE double rut_sin_kernel(double r, double low) {
  const double z = r * r, z2 = z * z;
  const double p = (-0x1.5555555555548p-3 + z * 0x1.111111110f7c8p-7) +
                   z2 * ((-0x1.a01a019bfcdd5p-13 + z * 0x1.71de3566dcac0p-19) +
                         z2 * (-0x1.ae5e59c9c7978p-26 + z * 0x1.5d8f95f9beef9p-33));
  return r + (r * z * p + low * (1.0 - 0.5 * z));
}
RUT_INLINE double rut_cos_kernel(double r, double low) {
  const double z = r * r, z2 = z * z;
  const double p = (0x1.555555555554bp-5 + z * -0x1.6c16c16c14f88p-10) +
                   z2 * ((0x1.a01a019c835bep-16 + z * -0x1.27e4f7ea10043p-22) +
                         z2 * (0x1.1ee9d736e6f6bp-29 + z * -0x1.8fa4573d70029p-37));
  const double half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z2 * p - r * low));
}

// Sine and cosine. Full accuracy for |x| < 8e5, absolute error below 1e-9 up to 1.3e13; larger
// finite angles, which no longer resolve a turn, count as 0.
RUT_INLINE void rut_sincos(double x, double* sine, double* cosine) {
  // Take off multiples of 2^20 quarter turns (none below 8e5), then of one quarter turn. The parts
  // of pi/2 have so few bits that n and k times the first two are exact.
  const double usable = fabs(x) < 1.3e13 ? x : x - x;
  const double n = rut_round_small(usable * 0x1.45f306dc9c883p-21);
  const double y =
      ((usable - n * 0x1.921fb54p+20) - n * 0x1.10b46118p-10) - n * 0x1.313198a2e0370p-41;
  const double shifted = y * 0x1.45f306dc9c883p-1 + RUT_ROUND_SHIFT;
  const double k = shifted - RUT_ROUND_SHIFT;
  const double high = y - k * 0x1.921fb544p+0, part = k * 0x1.0b4611a6p-34;
  const double middle = high - part;
  const double rest = ((high - middle) - part) - k * 0x1.3198a2e037073p-69;
  const double r = middle + rest, low = (middle - r) + rest;

  // Quadrant by bit operations, which every vector unit has.
  const uint64_t quadrant = rut_bits(shifted);
  const uint64_t odd = UINT64_C(0) - (quadrant & 1u);
  const uint64_t s = rut_bits(rut_sin_kernel(r, low)), c = rut_bits(rut_cos_kernel(r, low));
  *sine = rut_from_bits(((s & ~odd) | (c & odd)) ^ ((quadrant & 2u) << 62));
  *cosine = rut_from_bits(((c & ~odd) | (s & odd)) ^ (((quadrant + 1u) & 2u) << 62));
}
RUT_INLINE double rut_sin(double x) {
  double s, c;
  rut_sincos(x, &s, &c);
  return s;
}
RUT_INLINE double rut_cos(double x) {
  double s, c;
  rut_sincos(x, &s, &c);
  return c;
}
// Tangent, within 2.5 ulp.
RUT_INLINE double rut_tan(double x) {
  double s, c;
  rut_sincos(x, &s, &c);
  return s / c;
}

// atan(t) - t for |t| <= tan(pi/8). Remez: t^3 P(t^2), 2^-59.5.
RUT_INLINE double rut_atan_tail(double t) {
  const double z = t * t, z2 = z * z, z4 = z2 * z2;
  const double p0 = (-0x1.555555555553dp-2 + z * 0x1.99999999958dcp-3) +
                    z2 * (-0x1.24924922b0bf1p-3 + z * 0x1.c71c70e77aa45p-4);
  const double p1 = (-0x1.745cf9067bbe0p-4 + z * 0x1.3b111c0f83073p-4) +
                    z2 * (-0x1.10ebd9b95f2e9p-4 + z * 0x1.df112d2eff96cp-5);
  const double p2 = (-0x1.9cdb191e7a883p-5 + z * 0x1.37ea821653ccep-5) + z2 * -0x1.25972445a14d5p-6;
  return t * z * (p0 + z4 * (p1 + z4 * p2));
}
// Angle, in [0, pi], of a point whose smaller and larger coordinate are a and b (not negative).
// steep: the larger one is y; back: x is negative. The point is turned by -pi/4 if it lies nearer
// to the diagonal than to an axis, so that one division and one polynomial do for all.
RUT_INLINE double rut_atan_octant(double a, double b, int steep, int back) {
  const int diagonal = a > 0x1.a827999fcef32p-2 * b;  // tan(pi/8)
  const double sum = a + b, difference = a - b;
  const double numerator = diagonal ? difference : a;
  const double denominator = diagonal ? sum : b;
  const double t = numerator / (denominator == 0.0 ? 1.0 : denominator);
  const double tail = rut_atan_tail(t);

  // Eighths of a turn to add, and the direction in which t counts from there.
  double eighth = diagonal ? 1.0 : 0.0, sense = 1.0;
  eighth = steep ? 2.0 - eighth : eighth;
  sense = steep ? -sense : sense;
  eighth = back ? 4.0 - eighth : eighth;
  sense = back ? -sense : sense;
  // pi/4 in two parts; up to 4 times the first part is exact.
  const double low = eighth * 0x1.1a62633145c07p-55, base = eighth * 0x1.921fb54442d18p-1;
  const double near = base + sense * t;
  const double error = (base - near) + sense * t;
  return near + (sense * tail + (low + error));
}
// Angle whose tangent is x, in [-pi/2, pi/2].
RUT_INLINE double rut_atan(double x) {
  const double size = fabs(x);
  const int steep = !(size < 1.0);
  return copysign(rut_atan_octant(steep ? 1.0 : size, steep ? size : 1.0, steep, 0), x);
}
// Angle of the point (x, y), in [-pi, pi]; 0 at the origin. NaN if both are infinite. Coordinates
// must be below 8e307.
RUT_INLINE double rut_atan2(double y, double x) {
  const double ay = fabs(y), ax = fabs(x);
  const int steep = !(ay <= ax);
  return copysign(rut_atan_octant(steep ? ax : ay, steep ? ay : ax, steep, x < 0.0), y);
}

// asin(x) - x for |x| <= 1/2, z = x^2. Remez: x^3 P(x^2), 2^-59.8.
RUT_INLINE double rut_asin_tail(double x, double z) {
  const double z2 = z * z, z4 = z2 * z2;
  const double p0 = (0x1.5555555555578p-3 + z * 0x1.333333332df83p-4) +
                    z2 * (0x1.6db6db7225d96p-5 + z * 0x1.f1c71a8dd405cp-6);
  const double p1 = (0x1.6e8bdfa4c1602p-6 + z * 0x1.1c49e2d74f9cep-6) +
                    z2 * (0x1.ca20cb9c19b06p-7 + z * 0x1.757b8d0bc1fe9p-7);
  const double p2 = (0x1.61738e081b578p-7 + z * 0x1.e2c450d30fdd1p-9) +
                    z2 * (0x1.6490ff508d57ap-6 + z * -0x1.59523600a1079p-6);
  return x * z * (p0 + z4 * (p1 + z4 * (p2 + z4 * 0x1.0bafb1c7b8dfep-5)));
}
// Angles whose sine and cosine are x. For |x| > 1/2, asin |x| = pi/2 - 2 asin sqrt((1 - |x|)/2).
RUT_INLINE double rut_asin(double x) {
  const double size = fabs(x);
  const int large = size > 0.5;
  const double z = large ? 0.5 * (1.0 - size) : size * size;
  const double s = large ? sqrt(z) : size;
  const double tail = rut_asin_tail(s, z);
  const double near = 0x1.921fb54442d18p-1 - s;  // pi/4 - s, where the error of s counts least
  const double error = (0x1.921fb54442d18p-1 - near) - s;
  const double y = 2.0 * (near + (0x1.1a62633145c07p-55 + error - tail));
  return copysign(large ? y : s + tail, x);
}
RUT_INLINE double rut_acos(double x) {
  const double size = fabs(x);
  const int large = size > 0.5;
  const double z = large ? 0.5 * (1.0 - size) : size * size;
  const double s = large ? sqrt(z) : x;
  const double tail = rut_asin_tail(s, z);
  const double near = 2.0 * (s + tail);
  const double far = 2.0 * (0x1.921fb54442d18p+0 - (s + (tail - 0x1.1a62633145c07p-54)));
  const double middle = 0x1.921fb54442d18p+0 - (s + (tail - 0x1.1a62633145c07p-54));
  return large ? (x < 0.0 ? far : near) : middle;
}

// ---------------------------------------------------------------------------------------------
// Exponential family

// exp(x + low) - 1 = 2^k (1 + m) - 1: gives k and m. Remez: exp r - 1 = r + r^2 P(r) for
// |r| <= 0.347, 2^-57.9. Valid for |x| < 1000.
RUT_INLINE double rut_exp_kernel(double x, double low, double* k) {
  const double n = rut_round_small(x * 0x1.71547652b82fep+0);
  const double high = x - n * 0x1.62e42feep-1, part = n * 0x1.a39ef35793c76p-33 - low;
  const double r = high - part, rest = (high - r) - part;
  const double z = r * r, z2 = z * z, z4 = z2 * z2;
  const double p0 = (0x1.000000000000ap-1 + r * 0x1.55555555554f9p-3) +
                    z * (0x1.55555555507f1p-5 + r * 0x1.1111111127eb8p-7);
  const double p1 = (0x1.6c16c1844af3dp-10 + r * 0x1.a01a0129a292fp-13) +
                    z * (0x1.a01999add39efp-16 + r * 0x1.71df2652f1f8ep-19);
  const double p2 = 0x1.28adce7f48eaep-22 + r * 0x1.ad7ec7c50600ap-26;
  *k = n;
  return r + (z * (p0 + z2 * p1 + z4 * p2) + rest);
}
// exp(x + low), |low| far below |x| or 1.
RUT_INLINE double rut_exp_sum(double x, double low) {
  double k;
  const double m = rut_exp_kernel(rut_clamp(x, -760.0, 720.0), low, &k);
  // In two factors, because 2^k itself may be out of range.
  const double half = rut_round_small(0.5 * k);
  return (1.0 + m) * rut_power_of_two(half) * rut_power_of_two(k - half);
}
RUT_INLINE double rut_exp(double x) { return rut_exp_sum(x, 0.0); }
// exp(x) - 1, accurate near 0; infinite above 709.4.
RUT_INLINE double rut_expm1(double x) {
  double k;
  const double m = rut_exp_kernel(rut_clamp(x, -60.0, 709.5), 0.0, &k);
  const double scale = rut_power_of_two(rut_min(k, 1023.0));
  return k > 1023.0 ? RUT_INFINITY : scale * m + (scale - 1.0);
}
// Hyperbolic tangent, within 2.5 ulp.
RUT_INLINE double rut_tanh(double x) {
  const double e = rut_expm1(2.0 * rut_min(fabs(x), 22.0));
  return x == x ? copysign(e / (e + 2.0), x) : x;
}
// Hyperbolic sine and cosine, within 2.5 ulp; infinite above 709.4.
RUT_INLINE double rut_sinh(double x) {
  const double e = rut_expm1(fabs(x));
  return copysign(0.5 * (e + (e < 1e300 ? e / (e + 1.0) : 1.0)), x);
}
RUT_INLINE double rut_cosh(double x) {
  const double e = rut_exp(fabs(x));
  return 0.5 * e + 0.5 / e;
}

// ---------------------------------------------------------------------------------------------
// Logarithms and powers

// Splits a positive, finite x into m 2^e with m in [sqrt(1/2), sqrt(2)).
RUT_INLINE double rut_split_exponent(double x, double* e) {
  const int tiny = x < 0x1p-1022;
  const uint64_t u = rut_bits(tiny ? x * 0x1p54 : x) + UINT64_C(0x00095f619980c433);
  *e = rut_from_bits((u >> 52) | UINT64_C(0x4330000000000000)) -
       (tiny ? 4503599627370496.0 + 1077.0 : 4503599627370496.0 + 1023.0);
  return rut_from_bits((u & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd));
}
// Natural logarithm. With s = f/(2 + f), log(1 + f) = 2 atanh s = f - f^2/2 + s (f^2/2 + z P(z)),
// z = s^2. Remez: 2^-59.5.
RUT_INLINE double rut_log(double x) {
  double e;
  const double f = rut_split_exponent(x, &e) - 1.0;
  const double s = f / (2.0 + f), z = s * s, z2 = z * z;
  const double p =
      (0x1.5555555555592p-1 + z * 0x1.999999997fd32p-2) +
      z2 * ((0x1.24924941f901bp-2 + z * 0x1.c71c52029285fp-3) +
            z2 * ((0x1.74664061c35a6p-3 + z * 0x1.39a192a91680cp-3) + z2 * 0x1.2f070aee6650dp-3));
  const double half = 0.5 * f * f;
  const double y =
      e * 0x1.62e42feep-1 - ((half - (s * (half + z * p) + e * 0x1.a39ef35793c76p-33)) - f);
  const double edge = x == 0.0 ? -RUT_INFINITY : (x < RUT_INFINITY ? RUT_NAN : x);
  return x > 0.0 && x < RUT_INFINITY ? y : edge;
}
// Natural logarithm of a positive, finite x as high + low, error about 2^-59 of the result.
RUT_INLINE void rut_log_sum(double x, double* high, double* low) {
  double e, p, pe;
  const double f = rut_split_exponent(x, &e) - 1.0;
  // s = f / (2 + f) as s + s_low, the quotient's remainder being exact.
  const double d = 2.0 + f, d_low = f - (d - 2.0);
  const double s = f / d;
  rut_two_product(s, d, &p, &pe);
  const double s_low = (((f - p) - pe) - s * d_low) / d;
  const double z = s * s, z2 = z * z;
  const double q = (0x1.5555555555555p-1 + z * 0x1.9999999999e00p-2) +
                   z2 * ((0x1.249249242b30bp-2 + z * 0x1.c71c725911101p-3) +
                         z2 * ((0x1.745cde2f8de4ep-3 + z * 0x1.3b20ac99b27e6p-3) +
                               z2 * (0x1.0f5cb179c0713p-3 + z * 0x1.0f63e906f31c6p-3)));
  const double tail = s * z * q + 2.0 * s_low;
  // e ln 2 + 2 s + tail, largest first; e times the first part of ln 2 is exact.
  const double a = e * 0x1.62e42feep-1, b = 2.0 * s;
  const double sum = a + b;
  const double back = sum - a;
  const double lost = (a - (sum - back)) + (b - back);
  const double small = tail + (lost + e * 0x1.a39ef35793c76p-33);
  *high = sum + small;
  *low = small - (*high - sum);
}
RUT_INLINE double rut_log10(double x) {
  double high, low, p, pe;
  const int usable = x > 0.0 && x < RUT_INFINITY;
  rut_log_sum(usable ? x : 1.0, &high, &low);
  rut_two_product(high, 0x1.bcb7b1526e50ep-2, &p, &pe);
  const double y = p + (pe + (high * 0x1.95355baaafad3p-57 + low * 0x1.bcb7b1526e50ep-2));
  const double edge = x == 0.0 ? -RUT_INFINITY : (x < RUT_INFINITY ? RUT_NAN : x);
  return usable ? y : edge;
}
// x to the power y; a negative x needs an integer y. Errors are below 2 ulp where the result is
// between 1e-15 and 1e15, and grow to 10 ulp towards the ends of the range.
RUT_INLINE double rut_pow(double x, double y) {
  double high, low, p, pe;
  const double size = fabs(x);
  const int usable = size > 0.0 && size < RUT_INFINITY;
  // Beyond 1e20 in the exponent only 0, 1 and infinity are left.
  const double exponent = rut_clamp(y, -1e20, 1e20);
  rut_log_sum(usable ? size : 1.0, &high, &low);
  rut_two_product(exponent, high, &p, &pe);
  const double regular = rut_exp_sum(p, pe + exponent * low);
  const double edge = (size == 0.0) == (y > 0.0) ? 0.0 : RUT_INFINITY;
  const double of_size =
      usable ? regular : (y == 0.0 ? 1.0 : (size == size && y == y ? edge : RUT_NAN));
  // Sign of an integer power of a negative number.
  const double floor_y = rut_floor(y);
  const int odd = 2.0 * rut_floor(0.5 * floor_y) != floor_y;
  const double negative = floor_y == y ? (odd ? -of_size : of_size) : RUT_NAN;
  return x < 0.0 ? negative : of_size;
}

// Length of an arc's chord over that of the arc, sin(a)/a, a being half of the angle it turns
// [rad].
RUT_INLINE double rut_chord_ratio(double a, double sine) {
  static const double SMALL = 1e-4;  // below it the series is right to the last bit [rad]
  return fabs(a) < SMALL ? 1.0 - a * a / 6.0 : sine / a;
}

#endif  // RUT_MATH_RUT_MATH_H
