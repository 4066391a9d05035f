// SPDX-License-Identifier: BSD-3-Clause
//
// The sun: where it stands, and the light that it gives.
#ifndef RUT_GEOM_SUN_H
#define RUT_GEOM_SUN_H

// Direction of the sun at a time [s] after 2000-01-01 12:00 UTC, seen from a geodetic latitude and
// longitude [rad]: elevation above the horizon, lifted by the refraction of a standard atmosphere,
// and azimuth from north to east [rad]. Within 0.01 degrees from 1950 to 2050 (J. J. Michalsky, The
// Astronomical Almanac's algorithm for approximate solar position, Solar Energy 40, 1988);
// refraction as NOAA's solar calculator.
void rut_sun_position(double time, double latitude, double longitude, double* azimuth,
                      double* elevation);

// Light of a sun at an elevation.
typedef struct rutDaylight {
  double sun, sky;   // illuminance of a surface facing the sun by the sun, of a level one by the
                     // sky [lx]
  double colour[3];  // of the sun in red, green and blue, the largest 1
} rutDaylight;
// cloud_cover: part of the sky that clouds cover.
void rut_daylight(double elevation, double cloud_cover, rutDaylight* out);

#endif  // RUT_GEOM_SUN_H
