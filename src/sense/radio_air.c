// SPDX-License-Identifier: BSD-3-Clause
#include "sense/radio_air.h"

#include "math/rut_math.h"
#include "sense/weather.h"

// [Hz]
static const double GIGAHERTZ = 1e9;

typedef struct Bump {
  double height, middle, width;
} Bump;

static double sum_of_bumps(const Bump* bump, int n, double x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double from = (x - bump[i].middle) / bump[i].width;
    sum += bump[i].height * rut_exp(-from * from);
  }
  return sum;
}

// k R^a dB/km in a rain of R mm/h; 1 to 1000 GHz, horizontal polarisation (Recommendation ITU-R
// P.838-3, tables 1 and 3).
static double rain_loss(double gigahertz, double rate) {
  static const Bump k[] = {{-5.33980, -0.10008, 1.13098},
                           {-0.35351, 1.26970, 0.45400},
                           {-0.23789, 0.86036, 0.15354},
                           {-0.94158, 0.64552, 0.16817}};
  static const Bump a[] = {{-0.14318, 1.82442, -0.55187},
                           {0.29591, 0.77564, 0.19822},
                           {0.32177, 0.63773, 0.13164},
                           {-5.37610, -0.96230, 1.47828},
                           {16.1721, -3.29980, 3.43990}};
  const double f = rut_log10(gigahertz);
  const double factor = sum_of_bumps(k, 4, f) - 0.18961 * f + 0.71147;
  const double exponent = sum_of_bumps(a, 5, f) + 0.67849 * f - 1.95537;
  return rut_pow(10, factor) * rut_pow(rate, exponent);
}

// dB/km per g/m3 of droplets that are small against the wavelength, of water at a temperature [K],
// whose permittivity relaxes at two frequencies (Recommendation ITU-R P.840-8, annex 1).
static double fog_loss(double gigahertz, double temperature) {
  const double f = gigahertz, warm = 300 / temperature - 1;
  const double e0 = 77.66 + 103.3 * warm, e1 = 0.0671 * e0, e2 = 3.52;
  const double p = 20.20 - 146 * warm + 316 * warm * warm, s = 39.8 * p;
  const double in_p = 1 + f / p * (f / p), in_s = 1 + f / s * (f / s);
  const double lossy = f / p * (e0 - e1) / in_p + f / s * (e1 - e2) / in_s;
  const double real = (e0 - e1) / in_p + (e1 - e2) / in_s + e2;
  const double eta = (2 + real) / lossy;
  return 0.819 * f / (lossy * (1 + eta * eta));
}

// Water in fog of a visibility [g/m3]: the power law through the recommendation's 0.05 at 300 m and
// 0.5 at 50 m.
static double fog_water(double visibility) {
  return 0.05 * rut_pow(300 / visibility, rut_log(10) / rut_log(6));
}

double rut_radio_extinction(const rutRadioAir* air) {
  const double f = air->frequency / GIGAHERTZ, fog_temperature = 283.15;
  const double dry_snow = 0.1;  // of the loss in rain of the same water
  double loss = 0;
  if (air->rain > 0) loss += rain_loss(f, air->rain / RUT_MM_PER_HOUR);
  if (air->snow > 0) {
    loss += (air->wet_snow ? 1 : dry_snow) * rain_loss(f, air->snow / RUT_MM_PER_HOUR);
  }
  if (air->visibility > 0) loss += fog_loss(f, fog_temperature) * fog_water(air->visibility);
  return loss * RUT_DB_PER_KM;
}
