// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of the lidar.
#ifndef RUT_SENSE_LIDAR_ROWS_H
#define RUT_SENSE_LIDAR_ROWS_H

#include "math/rut_math.h"
#include "rut/sensor.h"

#define RUT_LIDAR_DEGREE (RUT_PI / 180)

enum {
  RUT_LIDAR_MAX_CHANNELS = 256,
  RUT_LIDAR_MAX_COLUMNS = 65536,
  RUT_LIDAR_MAX_RETURNS = 3,
  RUT_LIDAR_MAX_SUBRAYS = 64
};

// Words of the choices.
enum { RUT_LIDAR_SPINNING, RUT_LIDAR_RASTER, RUT_LIDAR_ROSETTE };
enum { RUT_LIDAR_STRONGEST, RUT_LIDAR_FIRST, RUT_LIDAR_LAST };
enum { RUT_LIDAR_REFLECTANCE, RUT_LIDAR_POWER };
enum { RUT_LIDAR_RAIN_CARBONNEAU, RUT_LIDAR_RAIN_MAVS };

#define RUT_LIDAR_ROWS(REAL, WHOLE, FLAG, CHOICE, LIST)                                            \
  CHOICE(pattern, "spinning|raster|rosette", 0,                                                    \
         "a head that spins about z, rows one after the other, or a flower of fov and elevations") \
  WHOLE(channels, "", 16, 1, RUT_LIDAR_MAX_CHANNELS, "beams of a column, or rows")                 \
  WHOLE(columns, "", 1800, 1, RUT_LIDAR_MAX_COLUMNS, "firings of each beam in a sample")           \
  WHOLE(returns, "", 1, 1, RUT_LIDAR_MAX_RETURNS, "most returns of a pulse that are kept")         \
  CHOICE(order, "strongest|first|last", 0, "which returns come first, and are kept")               \
  REAL(fov, "rad", 2 * RUT_PI, 0, 2 * RUT_PI, "horizontal field of view, half to each side")       \
  REAL(elevation_first, "rad", -15 * RUT_LIDAR_DEGREE, -RUT_PI / 2, RUT_PI / 2,                    \
       "elevation of the first channel; those between are spaced evenly")                          \
  REAL(elevation_last, "rad", 15 * RUT_LIDAR_DEGREE, -RUT_PI / 2, RUT_PI / 2,                      \
       "elevation of the last channel")                                                            \
  LIST(elevations, "rad", -RUT_PI / 2, RUT_PI / 2, "elevation of each channel instead")            \
  LIST(azimuths, "rad", -RUT_PI, RUT_PI,                                                           \
       "azimuth of each channel from that of the head; a shorter list repeats")                    \
  LIST(heights, "m", -1, 1, "height of each channel's origin; a shorter list repeats")             \
  REAL(origin_radius, "m", 0, 0, 1, "distance of the beams' origins from the axis of the head")    \
  REAL(column_time, "s", 0, 0, 1, "time from column to column of a spinning head; 0: evenly")      \
  REAL(firing_interval, "s", 0, 0, 1, "time from channel to channel within a column")              \
  FLAG(clockwise, 1, "spins clockwise as seen from above")                                         \
  FLAG(rolling, 1, "each beam has the time and the pose of its firing, not those of the sample")   \
  REAL(min_range, "m", 0.1, 0, 1e6, "nearest distance that is seen")                               \
  REAL(max_range, "m", 100, 0, 1e6, "farthest distance that is seen")                              \
  REAL(rated_range, "m", 100, 0, 1e6,                                                              \
       "distance in clear air at which a surface of rated_reflectance, hit squarely, is at the "   \
       "limit of detection; 0: everything up to max_range is detected")                            \
  REAL(rated_reflectance, "", 0.8, 1e-6, 1, "see rated_range")                                     \
  REAL(reflectance, "", -1, -1, 1,                                                                 \
       "of all surfaces (diffuse); below 0: those of their materials at the wavelength")           \
  REAL(divergence_horizontal, "rad", 3e-3, 0, 0.2,                                                 \
       "full angle of the beam between 1/e2 of its intensity, for subrays")                        \
  REAL(divergence_vertical, "rad", 3e-3, 0, 0.2, "the same in height")                             \
  WHOLE(subrays, "", 1, 1, RUT_LIDAR_MAX_SUBRAYS,                                                  \
        "rays that share the energy of a beam; 1: its axis only")                                  \
  REAL(pulse_length, "m", 0.75, 1e-3, 100,                                                         \
       "c tau/2: surfaces whose distances differ by less give one return between them")            \
  CHOICE(intensity, "reflectance|power", 0,                                                        \
         "power: received, over that of a white surface hit squarely at 1 m; reflectance: that "   \
         "times the range squared")                                                                \
  REAL(intensity_step, "", 0, 0, 1, "resolution of the intensity, 0: not quantised")               \
  REAL(intensity_limit, "", 0, 0, 1e6, "largest intensity that is told, 0: no limit")              \
  REAL(range_step, "m", 0, 0, 10, "resolution of the range, 0: not quantised")                     \
  REAL(range_noise, "m", 0.02, 0, 1e3, "standard deviation of the range of a strong return")       \
  REAL(weak_range_noise, "m", 0.02, 0, 1e3,                                                        \
       "what is added to it (root of squares) at the limit of detection; falls with 1/sqrt(SNR)")  \
  REAL(angle_noise, "rad", 0, 0, 0.1, "standard deviation of each beam's direction, either way")   \
  REAL(signal_noise, "", 0.1, 0, 10,                                                               \
       "standard deviation of the received power over that at the limit of detection")             \
  REAL(dropout, "", 0, 0, 1, "share of pulses that are lost")                                      \
  REAL(wavelength, "m", 905e-9, 300e-9, 2e-6, "of the light, for materials, fog and dust")         \
  RUT_WEATHER_ROWS(REAL, FLAG)                                                                     \
  RUT_DUST_ROWS(REAL)                                                                              \
  CHOICE(rain_law, "carbonneau|mavs", 0, "extinction by rain: 1.08 R^0.67 dB/km or 0.01 R^0.6/m")  \
  REAL(lidar_ratio, "", 18, 1, 1000, "extinction over backscatter of the air [sr], water has 18")  \
  REAL(overlap_range, "m", 4, 0, 1000,                                                             \
       "distance from which the receiver sees the whole beam; nearer, what the air scatters "      \
       "back falls with the distance squared")                                                     \
  RUT_SIGHT_ROWS(FLAG)                                                                             \
  FLAG(labels, 0, "tells class and instance of what each return comes from")

typedef struct rutLidarParam {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
  RUT_LIDAR_ROWS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} rutLidarParam;

#endif  // RUT_SENSE_LIDAR_ROWS_H
