// SPDX-License-Identifier: BSD-3-Clause
#include "math/normal.h"

#include "math/rut_math.h"

enum { MOST_TERMS = 200, FRACTIONS = 60 };

// Near the middle the series 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...) (Marsaglia, J. Stat.
// Software 11(4), 2004), all of whose terms have one sign; in the tails Laplace's continued
// fraction phi(x) / (x + 1/(x + 2/(x + 3/(x + ...)))) (Abramowitz and Stegun 26.2.14), which keeps
// their digits.
double rut_normal_cdf(double x) {
  static const double TAIL = 3.5;
  const double density = rut_exp(-0.5 * x * x) / rut_sqrt(2 * RUT_PI);
  if (rut_abs(x) > TAIL) {
    const double size = rut_abs(x);
    double below = size;
    for (int k = FRACTIONS; k > 0; k--) below = size + k / below;
    const double tail = density / below;
    return x < 0 ? tail : 1 - tail;
  }
  double sum = x, term = x;
  for (int k = 3; k < MOST_TERMS && rut_abs(term) > 1e-18 * rut_abs(sum); k += 2) {
    term *= x * x / k;
    sum += term;
  }
  return 0.5 + density * sum;
}

static double polynomial(const double c[8], double r) {
  double sum = c[7];
  for (int i = 6; i >= 0; i--) sum = sum * r + c[i];
  return sum;
}

// M. J. Wichura, algorithm AS 241 (PPND16), Applied Statistics 37, 477-484 (1988).
double rut_normal_quantile(double p) {
  static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                              1.9715909503065514427e+3, 1.3731693765509461125e+4,
                              4.5921953931549871457e+4, 6.7265770927008700853e+4,
                              3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[8] = {1.0,
                              4.2313330701600911252e+1,
                              6.8718700749205790830e+2,
                              5.3941960214247511077e+3,
                              2.1213794301586595867e+4,
                              3.9307895800092710610e+4,
                              2.8729085735721942674e+4,
                              5.2264952788528545610e+3};
  static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                              5.76949722146069140550e0,  3.64784832476320460504e0,
                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[8] = {1.0,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9};
  static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[8] = {1.0,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (rut_abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = rut_sqrt(-rut_log(q < 0 ? p : 1 - p));
  const double x = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                          : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -x : x;
}
