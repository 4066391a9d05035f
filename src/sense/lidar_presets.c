// SPDX-License-Identifier: BSD-3-Clause
//
// Lidars of data sheets. Ranges are those at which a surface of 80 % is detected. Sources: manuals
// of Velodyne, Ouster, RoboSense, Quanergy, SICK and Livox; divergences as in MAVS.
#include "sense/lidar_presets.h"

static const rutPresetValue vlp16[] = {
    {"channels", "16"},
    {"columns", "1808"},
    {"elevations", "-15 1 -13 3 -11 5 -9 7 -7 9 -5 11 -3 13 -1 15 deg"},
    {"heights", "11.2 -0.7 9.7 -2.2 8.1 -3.7 6.6 -5.1 5.1 -6.6 3.7 -8.1 2.2 -9.7 0.7 -11.2 mm"},
    {"column_time", "55.296 us"},
    {"firing_interval", "2.304 us"},
    {"min_range", "0.4 m"},
    {"max_range", "100 m"},
    {"rated_range", "100 m"},
    {"divergence_horizontal", "3.3 mrad"},
    {"divergence_vertical", "0.7 mrad"},
    {"wavelength", "903 nm"},
    {"range_noise", "3 cm"},
    {"range_step", "2 mm"},
    {"intensity_step", "0.01"}};

static const rutPresetValue hdl32e[] = {
    {"channels", "32"},
    {"columns", "2170"},
    {"elevations",
     "-30.6667 -9.3333 -29.3334 -8 -28 -6.6666 -26.6667 -5.3333 -25.3334 -4 -24 -2.6666 -22.6667 "
     "-1.3333 -21.3334 0 -20 1.3334 -18.6667 2.6667 -17.3334 4 -16 5.3334 -14.6667 6.6667 -13.3334 "
     "8 -12 9.3334 -10.6667 10.6667 deg"},
    {"column_time", "46.08 us"},
    {"firing_interval", "1.152 us"},
    {"min_range", "0.5 m"},
    {"max_range", "100 m"},
    {"rated_range", "100 m"},
    {"divergence_horizontal", "3.3 mrad"},
    {"divergence_vertical", "0.7 mrad"},
    {"wavelength", "903 nm"},
    {"range_noise", "2 cm"},
    {"range_step", "2 mm"},
    {"intensity_step", "0.01"}};

static const rutPresetValue hdl64e[] = {
    {"channels", "64"},
    {"columns", "2083"},
    {"elevations",
     "2 1.6667 1.3333 1 0.6667 0.3333 0 -0.3333 -0.6667 -1 -1.3333 -1.6667 -2 -2.3333 -2.6667 -3 "
     "-3.3333 -3.6667 -4 -4.3333 -4.6667 -5 -5.3333 -5.6667 -6 -6.3333 -6.6667 -7 -7.3333 -7.6667 "
     "-8 -8.3333 -8.8333 -9.3333 -9.8333 -10.3333 -10.8333 -11.3333 -11.8333 -12.3333 -12.8333 "
     "-13.3333 -13.8333 -14.3333 -14.8333 -15.3333 -15.8333 -16.3333 -16.8333 -17.3333 -17.8333 "
     "-18.3333 -18.8333 -19.3333 -19.8333 -20.3333 -20.8333 -21.3333 -21.8333 -22.3333 -22.8333 "
     "-23.3333 -23.8333 -24.3333 deg"},
    {"column_time", "48 us"},
    {"firing_interval", "0.75 us"},
    {"min_range", "0.9 m"},
    {"max_range", "120 m"},
    {"rated_range", "120 m"},
    {"divergence_horizontal", "3.3 mrad"},
    {"divergence_vertical", "0.7 mrad"},
    {"range_noise", "2 cm"},
    {"range_step", "2 mm"},
    {"intensity_step", "0.01"}};

static const rutPresetValue os1_64[] = {{"channels", "64"},
                                        {"columns", "1024"},
                                        {"elevation_first", "16.97 deg"},
                                        {"elevation_last", "-16.92 deg"},
                                        {"azimuths", "3.2 1.08 -1.08 -3.2 deg"},
                                        {"origin_radius", "12.163 mm"},
                                        {"min_range", "0.5 m"},
                                        {"max_range", "120 m"},
                                        {"rated_range", "120 m"},
                                        {"divergence_horizontal", "0.18 deg"},
                                        {"divergence_vertical", "0.18 deg"},
                                        {"wavelength", "850 nm"},
                                        {"range_noise", "1.5 cm"},
                                        {"range_step", "1 mm"},
                                        {"intensity_step", "0.01"}};

static const rutPresetValue os1_32[] = {{"channels", "32"},
                                        {"columns", "1024"},
                                        {"elevation_first", "22.1 deg"},
                                        {"elevation_last", "-22.1 deg"},
                                        {"azimuths", "4.22 1.41 -1.41 -4.22 deg"},
                                        {"origin_radius", "15.8 mm"},
                                        {"min_range", "0.5 m"},
                                        {"max_range", "120 m"},
                                        {"rated_range", "120 m"},
                                        {"divergence_horizontal", "0.18 deg"},
                                        {"divergence_vertical", "0.18 deg"},
                                        {"wavelength", "865 nm"},
                                        {"range_noise", "1.5 cm"},
                                        {"range_step", "1 mm"},
                                        {"intensity_step", "0.01"}};

static const rutPresetValue os2[] = {{"channels", "128"},
                                     {"columns", "1024"},
                                     {"elevation_first", "11.25 deg"},
                                     {"elevation_last", "-11.25 deg"},
                                     {"min_range", "0.5 m"},
                                     {"max_range", "240 m"},
                                     {"rated_range", "240 m"},
                                     {"divergence_horizontal", "0.09 deg"},
                                     {"divergence_vertical", "0.09 deg"},
                                     {"wavelength", "865 nm"},
                                     {"range_noise", "1.5 cm"},
                                     {"range_step", "1 mm"},
                                     {"intensity_step", "0.01"}};

static const rutPresetValue rs32[] = {
    {"channels", "32"},
    {"columns", "2000"},
    {"elevations",
     "15 10.333 7 4.667 3.333 2.333 1.6667 1.3334 1 0.6667 0.3334 0 -0.3333 -0.6666 -1 -1.3333 "
     "-1.6666 -2 -2.3333 -2.6666 -3 -3.3333 -3.6666 -4 -4.667 -5.407 -6.424 -7.254 -8.843 -10.281 "
     "-14.638 -25 deg"},
    {"column_time", "50 us"},
    {"firing_interval", "1.5625 us"},
    {"min_range", "0.4 m"},
    {"max_range", "200 m"},
    {"rated_range", "200 m"},
    {"divergence_horizontal", "3.3 mrad"},
    {"divergence_vertical", "0.7 mrad"},
    {"range_noise", "3 cm"},
    {"range_step", "5 mm"},
    {"intensity_step", "0.01"}};

static const rutPresetValue m8[] = {{"channels", "8"},
                                    {"columns", "5250"},
                                    {"elevation_first", "-18.22 deg"},
                                    {"elevation_last", "3.2 deg"},
                                    {"min_range", "1 m"},
                                    {"max_range", "150 m"},
                                    {"rated_range", "150 m"},
                                    {"divergence_horizontal", "3.3 mrad"},
                                    {"divergence_vertical", "0.7 mrad"},
                                    {"range_noise", "3 cm"},
                                    {"intensity_step", "0.01"}};

static const rutPresetValue lms291[] = {{"period", "13.3333333 ms"},
                                        {"channels", "1"},
                                        {"columns", "181"},
                                        {"fov", "180 deg"},
                                        {"elevation_first", "0 deg"},
                                        {"elevation_last", "0 deg"},
                                        {"clockwise", "false"},
                                        {"max_range", "80 m"},
                                        {"rated_range", "80 m"},
                                        {"divergence_horizontal", "12.913 mrad"},
                                        {"divergence_vertical", "12.913 mrad"},
                                        {"range_noise", "1 cm"},
                                        {"range_step", "1 cm"}};

static const rutPresetValue grid[] = {{"pattern", "raster"},
                                      {"channels", "125"},
                                      {"columns", "600"},
                                      {"fov", "120 deg"},
                                      {"elevation_first", "12.5 deg"},
                                      {"elevation_last", "-12.5 deg"},
                                      {"max_range", "150 m"},
                                      {"rated_range", "150 m"}};

static const rutPresetValue mid40[] = {{"pattern", "rosette"},
                                       {"channels", "1"},
                                       {"columns", "10000"},
                                       {"fov", "38.4 deg"},
                                       {"elevation_first", "-19.2 deg"},
                                       {"elevation_last", "19.2 deg"},
                                       {"min_range", "1 m"},
                                       {"max_range", "260 m"},
                                       {"rated_range", "260 m"},
                                       {"divergence_horizontal", "0.5 mrad"},
                                       {"divergence_vertical", "4.9 mrad"},
                                       {"range_noise", "2 cm"}};

const rutPreset rut_lidar_presets[RUT_LIDAR_PRESETS] = {
    RUT_PRESET("vlp16", "Velodyne VLP-16: 16 beams of 2 deg, 10 Hz", vlp16),
    RUT_PRESET("hdl32e", "Velodyne HDL-32E: 32 beams of 1.33 deg, 10 Hz", hdl32e),
    RUT_PRESET("hdl64e",
               "Velodyne HDL-64E, nominal: 32 beams of 0.33 deg above 32 of 0.5 deg, 10 Hz",
               hdl64e),
    RUT_PRESET("os1_64",
               "Ouster OS1-64 of the first generation: 64 beams of 0.538 deg, 1024 columns, 10 Hz",
               os1_64),
    RUT_PRESET("os1_32", "Ouster OS1-32: 32 beams of 1.43 deg, 1024 columns, 10 Hz", os1_32),
    RUT_PRESET("os2", "Ouster OS2-128: 128 beams of 0.18 deg, 1024 columns, 10 Hz", os2),
    RUT_PRESET("rs32", "RoboSense RS-32: 32 beams, dense about the horizon, 10 Hz", rs32),
    RUT_PRESET("m8", "Quanergy M8: 8 beams of 3.06 deg, 420 000 points a second, 10 Hz", m8),
    RUT_PRESET("lms291", "SICK LMS-291: a plane of 180 deg in steps of 1 deg, 75 Hz", lms291),
    RUT_PRESET("grid", "a solid-state lidar of 120 x 25 deg: 125 rows of 600 points, 10 Hz", grid),
    RUT_PRESET("mid40",
               "Livox Mid-40: a rosette of 38.4 deg that does not repeat, 100 000 points a second",
               mid40),
};
