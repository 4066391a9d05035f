// SPDX-License-Identifier: BSD-3-Clause
//
// Data sheets give ranges, angles, resolutions and accuracies; an accuracy counts as two standard
// deviations. They do not give a radar cross section for the range: where none is known, the
// largest range is that of a car, 10 m2.
#include "sense/radar_presets.h"

// Class of the Continental ARS 408-21, after its published properties: far range, and near range at
// its middle.
static const rutPresetValue far_range[] = {{"period", "72 ms"},
                                           {"fov", "18 deg"},
                                           {"fov_vertical", "14 deg"},
                                           {"ray_spacing", "0.2 deg"},
                                           {"min_range", "0.2 m"},
                                           {"max_range", "250 m"},
                                           {"rated_range", "250 m"},
                                           {"rated_rcs", "10"},
                                           {"beamwidth_vertical", "14 deg"},
                                           {"range_resolution", "1.79"},
                                           {"range_noise", "0.2 m"},
                                           {"azimuth_resolution", "1.6 deg"},
                                           {"azimuth_noise", "0.05 deg"},
                                           {"rate_resolution", "0.37 km/h"},
                                           {"rate_noise", "0.05 km/h"},
                                           {"detections", "100"}};
static const rutPresetValue near_range[] = {{"period", "72 ms"},
                                            {"fov", "90 deg"},
                                            {"fov_vertical", "20 deg"},
                                            {"ray_spacing", "0.5 deg"},
                                            {"min_range", "0.2 m"},
                                            {"max_range", "70 m"},
                                            {"rated_range", "70 m"},
                                            {"rated_rcs", "10"},
                                            {"beamwidth_vertical", "20 deg"},
                                            {"range_resolution", "0.39"},
                                            {"range_noise", "0.05 m"},
                                            {"azimuth_resolution", "3.2 deg"},
                                            {"azimuth_noise", "0.15 deg"},
                                            {"rate_resolution", "0.43 km/h"},
                                            {"rate_noise", "0.05 km/h"},
                                            {"detections", "100"}};

// Classes of automotive radars at 77 GHz, in round numbers.
static const rutPresetValue corner[] = {{"period", "66 ms"},
                                        {"fov", "150 deg"},
                                        {"fov_vertical", "12 deg"},
                                        {"ray_spacing", "0.75 deg"},
                                        {"min_range", "0.2 m"},
                                        {"max_range", "80 m"},
                                        {"rated_range", "80 m"},
                                        {"rated_rcs", "10"},
                                        {"beamwidth", "120 deg"},
                                        {"beamwidth_vertical", "12 deg"},
                                        {"range_resolution", "0.3"},
                                        {"range_noise", "0.1 m"},
                                        {"azimuth_resolution", "10 deg"},
                                        {"azimuth_noise", "0.5 deg"},
                                        {"rate_resolution", "0.1 m/s"},
                                        {"rate_noise", "0.05 m/s"},
                                        {"detections", "100"}};
static const rutPresetValue imaging[] = {{"period", "50 ms"},
                                         {"fov", "120 deg"},
                                         {"fov_vertical", "30 deg"},
                                         {"ray_spacing", "0.4 deg"},
                                         {"min_range", "0.5 m"},
                                         {"max_range", "300 m"},
                                         {"rated_range", "300 m"},
                                         {"rated_rcs", "10"},
                                         {"beamwidth", "110 deg"},
                                         {"beamwidth_vertical", "30 deg"},
                                         {"range_resolution", "0.3"},
                                         {"range_noise", "0.1 m"},
                                         {"azimuth_resolution", "1.2 deg"},
                                         {"azimuth_noise", "0.1 deg"},
                                         {"elevation_resolution", "2.3 deg"},
                                         {"elevation_noise", "0.2 deg"},
                                         {"rate_resolution", "0.1 m/s"},
                                         {"rate_noise", "0.05 m/s"},
                                         {"detections", "1000"}};

// MAVS (src/sensors/radar): 60 m, lobes of 1 to 3 degrees over 90, range bins of 1.25 m.
static const rutPresetValue mavs[] = {{"period", "0.1 s"},
                                      {"fov", "90 deg"},
                                      {"fov_vertical", "3 deg"},
                                      {"ray_spacing", "0.25 deg"},
                                      {"max_range", "60 m"},
                                      {"rated_range", "60 m"},
                                      {"rated_rcs", "1"},
                                      {"range_resolution", "1.25"},
                                      {"azimuth_resolution", "1 deg"},
                                      {"rate_resolution", "0.2 m/s"},
                                      {"range_noise", "0.25 m"},
                                      {"azimuth_noise", "0.5 deg"},
                                      {"rate_noise", "0.1 m/s"},
                                      {"detections", "100"}};

const rutPreset rut_radar_presets[RUT_RADAR_PRESETS] = {
    RUT_PRESET("ars408_far", "class of the Continental ARS 408-21, far range: published properties",
               far_range),
    RUT_PRESET("ars408_near",
               "class of the Continental ARS 408-21, near range to 45 deg: published properties",
               near_range),
    RUT_PRESET("corner", "class of 77 GHz corner radars: 80 m, 150 deg", corner),
    RUT_PRESET("imaging", "class of imaging radars of 12 x 16 antennas: 300 m, with elevation",
               imaging),
    RUT_PRESET("mavs", "as MAVS's radar: 60 m, 90 deg, range bins of 1.25 m", mavs)};
