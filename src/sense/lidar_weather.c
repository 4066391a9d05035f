// SPDX-License-Identifier: BSD-3-Clause
#include "sense/lidar_weather.h"

#include "sense/weather.h"

// Wavelength that a visibility is measured at [m].
static const double VISIBLE = 550e-9;
static const double NEAR_INFRARED = 905e-9;
// Least power that thresholds are divided by.
static const double LEAST_POWER = 1e-200;

// Exponent of the wavelength in the extinction by fog of a visibility (Kim, McArthur and Korevaar,
// SPIE 4214, 2001): droplets of thick fog are larger than the wavelength.
static double kim_exponent(double visibility) {
  const double km = 1e-3 * visibility;
  if (km < 0.5) return 0;
  if (km < 1) return km - 0.5;
  if (km < 6) return 0.16 * km + 0.34;
  return 1.3;
}

// Contrast falls to 2 % over the visibility (Koschmieder): exp(-3.912).
static double fog(const rutLidarParam* p) {
  if (!(p->visibility > 0)) return 0;
  return 3.912 / p->visibility * rut_pow(p->wavelength / VISIBLE, -kim_exponent(p->visibility));
}

// Carbonneau and Wisely, SPIE 3532, 1998; or Goodin et al., Electronics 8(1), 2019, as in MAVS,
// whose rain is 34 times as thick at 10 mm/h.
static double rain(const rutLidarParam* p) {
  const double rate = p->rain / RUT_MM_PER_HOUR;
  if (!(rate > 0)) return 0;
  return p->rain_law == RUT_LIDAR_RAIN_MAVS ? 0.01 * rut_pow(rate, 0.6)
                                            : 1.08 * RUT_DB_PER_KM * rut_pow(rate, 0.67);
}

// As in MAVS.
static double snow(const rutLidarParam* p) {
  const double rate = p->snow / RUT_MM_PER_HOUR;
  if (!(rate > 0)) return 0;
  return p->wet_snow != 0 ? rut_max(2 * rate - 0.1, 0) * 1e-4 : (15 * rate + 1) * 1e-4;
}

// 0.5 m2/g, a tenth less at 1550 nm.
static double dust(const rutLidarParam* p) {
  if (!(p->dust > 0)) return 0;
  const double exponent = rut_log(0.9) / rut_log(1550.0 / 905.0);
  const double ratio = rut_max(p->wavelength / NEAR_INFRARED, 1);
  return 500 * p->dust * rut_pow(ratio, exponent);
}

double rut_lidar_extinction(const rutLidarParam* param) {
  return fog(param) + rain(param) + snow(param) + dust(param);
}

double rut_visible_extinction(const rutWeather* weather) {
  return rut_lidar_extinction(&(rutLidarParam){.wavelength = VISIBLE,
                                               .rain = weather->rain,
                                               .snow = weather->snow,
                                               .wet_snow = weather->wet_snow,
                                               .visibility = weather->visibility,
                                               .dust = weather->dust});
}

// The air of one pulse length L at a distance d scatters b L/S of the light per solid angle, b
// being its extinction and S its lidar ratio, where a surface scatters rho/pi: it is a surface of
// the reflectance pi b L/S, seen through the air before it. Scatterers add with random phases, so
// that the power varies exponentially about this mean (Goodman, Statistical Optics, section 2.9):
// the threshold c is passed with the probability exp(-c/P), and then by P on average.
void rut_lidar_air(const rutLidarParam* param, double threshold, rutLidarAir* out) {
  const rutLidarParam* p = param;
  const double b = rut_lidar_extinction(p);
  *out = (rutLidarAir){.first = rut_max(p->min_range, p->pulse_length), .length = p->pulse_length};
  if (!(b > 0) || !(threshold > 0)) return;
  double missed = 1;
  for (int k = 0; k < RUT_LIDAR_BINS; k++) {
    const double d = out->first + (k + 0.5) * out->length;
    const double seen = d < p->overlap_range ? d / p->overlap_range : 1;
    const double power =
        RUT_PI * b * p->pulse_length / p->lidar_ratio * seen * seen * rut_exp(-2 * b * d) / (d * d);
    missed *= 1 - rut_exp(-threshold / rut_max(power, LEAST_POWER));
    out->until[k] = 1 - missed;
    out->power[k] = threshold + power;
    out->bins++;
  }
}

bool rut_lidar_false_return(const rutLidarAir* air, double uniform, double limit, double* range,
                            double* power) {
  if (air->bins == 0 || !(uniform < air->until[air->bins - 1])) return false;
  int k = 0;
  while (air->until[k] <= uniform) k++;
  const double before = k > 0 ? air->until[k - 1] : 0;
  const double part = (uniform - before) / (air->until[k] - before);
  *range = air->first + (k + part) * air->length;
  *power = air->power[k];
  return *range < limit;
}
