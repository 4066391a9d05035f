// SPDX-License-Identifier: BSD-3-Clause
#include "geom/sun.h"

#include <stdbool.h>

#include "math/rut_math.h"

#define DEGREE (RUT_PI / 180)

static const double SECONDS_PER_DAY = 86400;

// [rad] as NOAA's solar calculator (Global Monitoring Laboratory, solar calculation details), from
// the elevation without it.
static double refraction(double elevation) {
  static const double arc_second = DEGREE / 3600;
  const double h = elevation / DEGREE, t = rut_tan(elevation);
  double seconds;
  if (h > 85) {
    seconds = 0;
  } else if (h > 5) {
    seconds = 58.1 / t - 0.07 / (t * t * t) + 0.000086 / (t * t * t * t * t);
  } else if (h > -0.575) {
    seconds = 1735 + h * (-518.2 + h * (103.4 + h * (-12.79 + h * 0.711)));
  } else {
    seconds = -20.774 / t;
  }
  return seconds * arc_second;
}

void rut_sun_position(double time, double latitude, double longitude, double* azimuth,
                      double* elevation) {
  const double n = time / SECONDS_PER_DAY;
  // mean longitude and anomaly, ecliptic longitude, obliquity
  const double l = (280.460 + 0.9856474 * n) * DEGREE;
  const double g = (357.528 + 0.9856003 * n) * DEGREE;
  const double ecliptic = l + (1.915 * rut_sin(g) + 0.020 * rut_sin(2 * g)) * DEGREE;
  const double obliquity = (23.439 - 4e-7 * n) * DEGREE;
  double sine, cosine, s, c;
  rut_sincos(ecliptic, &sine, &cosine);
  rut_sincos(obliquity, &s, &c);
  const double right_ascension = rut_atan2(c * sine, cosine);
  const double declination = rut_asin(s * sine);
  // hour angle, from the sidereal time of Greenwich [h]
  const double sidereal = 18.697374558 + 24.06570982441908 * n;
  const double hour =
      15 * DEGREE * (sidereal - 24 * rut_floor(sidereal / 24)) + longitude - right_ascension;
  double sin_d, cos_d, sin_p, cos_p, sin_h, cos_h;
  rut_sincos(declination, &sin_d, &cos_d);
  rut_sincos(latitude, &sin_p, &cos_p);
  rut_sincos(hour, &sin_h, &cos_h);
  const double up = sin_p * sin_d + cos_p * cos_d * cos_h;
  const double east = -cos_d * sin_h, north = sin_d * cos_p - cos_d * sin_p * cos_h;
  const double true_elevation = rut_atan2(up, rut_hypot(east, north));
  *azimuth = rut_atan2(east, north);
  *elevation = true_elevation + refraction(true_elevation);
}

// Of the light that passes vertically through clear air, exp(-tau) is left; through m times as much
// air near the horizon (F. Kasten and A. T. Young, Applied Optics 28, 1989).
static double air_mass(double elevation) {
  const double h = elevation / DEGREE;
  return 1 / (rut_sin(elevation) + 0.50572 * rut_pow(h + 6.07995, -1.6364));
}

// Illuminance of level ground without a sun in the sky, by its elevation: 400 lx at sunset, 3.4 lx
// at the end of civil, 0.008 lx of nautical and 0.0006 lx of astronomical twilight, the light of
// the stars (P. Schlyter, Radiometry and photometry in astronomy, 2009); straight lines of its
// logarithm.
static double twilight(double elevation) {
  static const double lux[] = {400, 3.4, 0.008, 0.0006};
  static const double each = 6 * DEGREE;
  const double x = rut_clamp(-elevation / each, 0, 3);
  const int i = x < 1 ? 0 : x < 2 ? 1 : 2;
  return lux[i] * rut_pow(lux[i + 1] / lux[i], x - i);
}

// The sun has 128 klx before the air, of which exp(-0.21 m) arrive (IES, RP-21, 1984). Under clear
// air 0.3 of all light on level ground come from the sky; under clouds of a part N of the sky it is
// 0.3 + 0.7 N^2 of what is left, 1 - 0.75 N^3.4 (F. Kasten and G. Czeplak, Solar Energy 24, 1980).
// Its colour is what Rayleigh scattering leaves in 610, 550 and 465 nm (J. E. Hansen and L. D.
// Travis, Space Science Reviews 16, 1974).
void rut_daylight(double elevation, double cloud_cover, rutDaylight* out) {
  static const double rayleigh[3] = {0.0642, 0.0975, 0.1940};
  const double clear = 0.3, n = cloud_cover;
  const double left = 1 - 0.75 * rut_pow(n, 3.4), diffuse = clear + (1 - clear) * n * n;
  const bool up = elevation > 0;
  const double m = air_mass(rut_max(elevation, 0));
  const double normal = up ? 128e3 * rut_exp(-0.21 * m) : 0;
  const double level = normal * rut_sin(rut_max(elevation, 0)) / (1 - clear);
  out->sun = normal * left * (1 - diffuse) / (1 - clear);
  out->sky = rut_max(level * left * diffuse, twilight(elevation) * left);
  for (int i = 0; i < 3; i++) out->colour[i] = rut_exp(-m * (rayleigh[i] - rayleigh[0]));
}
