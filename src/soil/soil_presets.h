// SPDX-License-Identifier: BSD-3-Clause
//
// Named soils: pressure-sinkage and shear parameters that are quoted most often, in the units of
// their tables (kN, m, kPa, degrees, cm). They are single field or bin measurements: the same kind
// of soil elsewhere can differ by a factor of two, and most have been passed on from book to book.
//
// Sources: [W] Wong, Theory of Ground Vehicles, table 2.3 and Terramechanics and Off-Road Vehicles
// (1989), as recalled, not read again; [S] Lunar Sourcebook, chapter 9 (Carrier 1991), likewise;
// [I] Ishigami et al., J. Field Robotics 24 (2007), from copies in published code; [C] deformable
// terrain of Project Chrono; [M] Mars rover simulation after Zhou et al. (2014), from published
// code, not verified. Where a table gives a range of K, that for which the law has been checked or
// its middle. theta_m/theta_f of soils without their own is that of loose sand (Wong and Reece
// 1967). Toyoura sand and GRC-1 have no one set of numbers.
//
// Unloading is assumed, by the kind of soil, but for Chrono's: k_0 = 2 E/(pi a (1 - nu^2)) of a
// plate of a = 0.15 m on ground of a usual resilient modulus E, and the largest rebound such that
// the rut left is 0.85 to 0.99 of the sinkage. Wong's measured k_u of LETE sand, 503 MN/m4 z, comes
// from deeper sinkage: below 24 mm it would give everything back.
//
// What passes add is known for dry sand only (Senatore and Sandu 2011, after Harnisch, as
// recalled).
//
// Plates: what the tables tell of the tests is only that the two rows of snow hold below some 30
// kPa, and that LETE sand was unloaded from sinkages of up to 16 cm. Pressure and sinkage of the
// other tests are not known.
//
// Chrono's soils press by the depth of each place, so that the largest pressure is at the deepest.
//
// Adhesion of rubber is assumed, too: delta/phi of sand as between sand and smooth walls, that of
// wet clay with the adhesion of soft clay to piles, and dense clay with a wet surface; treads of
// which 0.6 are lugs. Wheels on the Moon and Mars, and Chrono's, shear soil over soil.
#ifndef RUT_SOIL_SOIL_PRESETS_H
#define RUT_SOIL_SOIL_PRESETS_H

#include "rut/component.h"

// n, n slip, k_c, k_phi, k_c', k_phi', c, phi, K, a_0, a_1, weight [N/m3], k_0 [N/m3], A_u [N/m4],
// largest rebound over sinkage, delta over phi, c_a over c, part of the contact under rubber.
#define RUT_SOIL(n, ns, kc, kp, rc, rp, c, phi, k, a0, a1, weight, k0, au, most, delta, ca, \
                 rubber)                                                                    \
  {"exponent", #n}, {"exponent_slip", #ns}, {"k_c", #kc "e3"}, {"k_phi", #kp "e3"},         \
      {"reece_c", #rc}, {"reece_phi", #rp}, {"cohesion", #c "e3 Pa"},                       \
      {"friction_angle", #phi " deg"}, {"shear_deformation_modulus", #k "e-2 m"},           \
      {"peak_angle", #a0}, {"peak_angle_slip", #a1}, {"unit_weight", #weight},              \
      {"rebound_stiffness", #k0}, {"rebound_gradient", #au}, {"largest_rebound", #most},    \
      {"adhesion_angle_ratio", #delta}, {"adhesion_ratio", #ca}, {                          \
    "rubber_share", #rubber                                                                 \
  }

static const rutPresetValue rut_soil_dry_sand[] = {
    RUT_SOIL(1.1, 0, 0.99, 1528.43, 0, 0, 1.04, 28, 2.5, 0.18, 0.32, 15e3, 150e6, 0, 0.06, 0.87,
             0.5, 0.6),
    {"pass_slip", "0.1178"},
    {"pass_slip_gain", "0.1672"},
    {"pass_gain", "0.0348"}};
static const rutPresetValue rut_soil_sandy_loam_15[] = {
    RUT_SOIL(0.7, 0, 5.27, 1515.04, 0, 0, 1.72, 29, 2.5, 0.18, 0.32, 15e3, 80e6, 0, 0.12, 0.85, 0.6,
             0.6),
    {"reference_moisture", "0.15"},
    {"moisture_exponent", "2.955"}};
static const rutPresetValue rut_soil_sandy_loam_22[] = {
    RUT_SOIL(0.2, 0, 2.56, 43.12, 0, 0, 1.38, 38, 2.5, 0.18, 0.32, 17e3, 80e6, 0, 0.12, 0.85, 0.6,
             0.6),
    {"reference_moisture", "0.22"},
    {"moisture_exponent", "2.955"}};
static const rutPresetValue rut_soil_sandy_loam_michigan[] = {
    RUT_SOIL(0.9, 0, 52.53, 1127.97, 0, 0, 4.83, 20, 2.5, 0.18, 0.32, 15e3, 200e6, 0, 0.1, 0.85,
             0.6, 0.6),
    {"reference_moisture", "0.11"},
    {"moisture_exponent", "2.955"}};
static const rutPresetValue rut_soil_clayey_soil_38[] = {
    RUT_SOIL(0.5, 0, 13.19, 692.15, 0, 0, 4.14, 13, 1, 0.18, 0.32, 17e3, 50e6, 0, 0.15, 0.8, 0.9,
             0.6),
    {"reference_moisture", "0.38"},
    {"moisture_exponent", "2.705"}};
static const rutPresetValue rut_soil_clayey_soil_55[] = {
    RUT_SOIL(0.7, 0, 16.03, 1262.53, 0, 0, 2.07, 10, 1, 0.18, 0.32, 17e3, 50e6, 0, 0.15, 0.8, 0.9,
             0.6),
    {"reference_moisture", "0.55"},
    {"moisture_exponent", "2.705"}};
static const rutPresetValue rut_soil_heavy_clay[] = {
    RUT_SOIL(0.13, 0, 12.7, 1555.95, 0, 0, 68.95, 34, 0.6, 0.18, 0.32, 18e3, 300e6, 0, 0.5, 0.7,
             0.35, 0.6),
    {"reference_moisture", "0.25"},
    {"moisture_exponent", "2.705"}};
static const rutPresetValue rut_soil_lean_clay[] = {
    RUT_SOIL(0.2, 0, 16.43, 1724.69, 0, 0, 68.95, 20, 0.6, 0.18, 0.32, 18e3, 300e6, 0, 0.5, 0.7,
             0.35, 0.6),
    {"reference_moisture", "0.22"},
    {"moisture_exponent", "3.53"}};
static const rutPresetValue rut_soil_lete_sand[] = {
    RUT_SOIL(0.793, 0, 102, 5301, 0, 0, 1.3, 31.1, 1.2, 0.18, 0.32, 15e3, 200e6, 0, 0.1, 0.884, 0.5,
             0.6),
    {"tested_sinkage", "0.16"}};
static const rutPresetValue rut_soil_upland_sandy_loam[] = {RUT_SOIL(
    1.1, 0, 74.6, 2080, 0, 0, 3.3, 33.7, 2.5, 0.18, 0.32, 15e3, 80e6, 0, 0.12, 0.85, 0.6, 0.6)};
static const rutPresetValue rut_soil_rubicon_sandy_loam[] = {RUT_SOIL(
    0.66, 0, 6.9, 752, 0, 0, 3.7, 29.8, 2.5, 0.18, 0.32, 15e3, 80e6, 0, 0.12, 0.85, 0.6, 0.6)};
static const rutPresetValue rut_soil_north_gower_clayey_loam[] = {RUT_SOIL(
    0.73, 0, 41.6, 2471, 0, 0, 6.1, 26.6, 2.5, 0.18, 0.32, 16e3, 80e6, 0, 0.12, 0.85, 0.6, 0.6)};
static const rutPresetValue rut_soil_grenville_loam[] = {RUT_SOIL(
    1.01, 0, 0.06, 5880, 0, 0, 3.1, 29.8, 1.8, 0.18, 0.32, 15e3, 80e6, 0, 0.12, 0.85, 0.6, 0.6)};
static const rutPresetValue rut_soil_snow_harrison[] = {
    RUT_SOIL(1.6, 0, 4.37, 196.72, 0, 0, 1.03, 19.7, 3, 0.18, 0.32, 3e3, 100e6, 0, 0.05, 0.7, 0.3,
             0.6),
    {"tested_pressure", "30e3"}};
static const rutPresetValue rut_soil_snow_sweden[] = {
    RUT_SOIL(1.44, 0, 10.55, 66.08, 0, 0, 6, 20.7, 3, 0.18, 0.32, 3e3, 100e6, 0, 0.05, 0.7, 0.3,
             0.6),
    {"tested_pressure", "30e3"}};
static const rutPresetValue rut_soil_scm_default[] = {
    RUT_SOIL(1.1, 0, 0, 2000, 0, 0, 0, 30, 1, 0, 0, 15e3, 200e6, 0, 1, 1, 1, 0),
    {"slip_sinkage", "none"},
    {"dig_in", "none"}};
static const rutPresetValue rut_soil_scm_soft[] = {
    RUT_SOIL(1.1, 0, 0, 2000, 0, 0, 0, 30, 1, 0, 0, 15e3, 40e6, 0, 1, 1, 1, 0),
    {"slip_sinkage", "none"},
    {"dig_in", "none"}};
static const rutPresetValue rut_soil_scm_hard[] = {
    RUT_SOIL(1.1, 0, 0, 20000, 0, 0, 0, 20, 1, 0, 0, 15e3, 200e6, 0, 1, 1, 1, 0),
    {"slip_sinkage", "none"},
    {"dig_in", "none"}};
static const rutPresetValue rut_soil_lunar_nominal[] = {
    RUT_SOIL(1, 0, 1.4, 820, 0, 0, 0.17, 36, 1.78, 0.18, 0.32, 2.6e3, 150e6, 0, 0.06, 1, 1, 0)};
static const rutPresetValue rut_soil_lunar_simulant[] = {
    RUT_SOIL(1, 0, 1.37, 814, 0, 0, 0.8, 37.2, 3.6, 0.4, 0.15, 15.7e3, 150e6, 0, 0.06, 1, 1, 0),
    {"shear_deformation_modulus_y", "0.013 m"},
    {"shear_angle", "0.043"},
    {"shear_angle_y", "0.020"},
    {"slip_sinkage", "none"}};
static const rutPresetValue rut_soil_mars_soft[] = {RUT_SOIL(
    1.4, 0.354, 0, 0, 212.2, 677.5, 0.6, 35, 1.46, 0.365, 0.503, 5750, 150e6, 0, 0.06, 1, 1, 0)};
static const rutPresetValue rut_soil_mars_dune[] = {
    RUT_SOIL(1.4, 0.45, 0, 0, 9.1, 500.8, 0.2, 30, 2.9, 0.33, 0.11, 6120, 150e6, 0, 0.06, 1, 1, 0)};
// Greenland: k_m and z_m of Wong and Preston-Thomas; strength of snow_harrison. Petawawa: k_p and
// m_m of Wong et al. 1979, c, phi, K likewise, all as recalled; rebounds assumed.
static const rutPresetValue rut_soil_snow_greenland[] = {
    RUT_SOIL(1, 0, 0, 40, 0, 0, 1.03, 19.7, 3, 0.18, 0.32, 3e3, 0, 0, 0.05, 0.7, 0.3, 0.6),
    {"curve", "limited"},
    {"layer_stiffness", "40e3"},
    {"layer_depth", "0.54"}};
static const rutPresetValue rut_soil_muskeg_a[] = {
    RUT_SOIL(1, 0, 0, 290, 0, 0, 2.8, 39.4, 3.1, 0.18, 0.32, 10e3, 0, 0, 0.12, 0.8, 0.8, 0.6),
    {"curve", "mat"},
    {"mat_stiffness", "290e3"},
    {"mat_strength", "51e3"}};
static const rutPresetValue rut_soil_muskeg_b[] = {
    RUT_SOIL(1, 0, 0, 762, 0, 0, 2.6, 39.2, 3.1, 0.18, 0.32, 10e3, 0, 0, 0.12, 0.8, 0.8, 0.6),
    {"curve", "mat"},
    {"mat_stiffness", "762e3"},
    {"mat_strength", "97e3"}};
// what stood for a soil of one's own before fields could be given beside a preset
static const rutPresetValue rut_soil_user[] = {
    RUT_SOIL(1, 0, 0, 1000, 0, 0, 0, 30, 2.5, 0.18, 0.32, 15e3, 100e6, 0, 0.1, 0.85, 0.6, 0.6)};

static const rutPreset rut_soil_presets[] = {
    RUT_PRESET("dry_sand", "dry sand, Land Locomotion Laboratory (Wong)", rut_soil_dry_sand),
    RUT_PRESET("sandy_loam_15", "sandy loam, moisture 15 %, same laboratory (Wong)",
               rut_soil_sandy_loam_15),
    RUT_PRESET("sandy_loam_22", "sandy loam, moisture 22 %, same laboratory (Wong)",
               rut_soil_sandy_loam_22),
    RUT_PRESET("sandy_loam_michigan", "sandy loam of Michigan, moisture 11 % (Wong)",
               rut_soil_sandy_loam_michigan),
    RUT_PRESET("clayey_soil_38", "clayey soil of Thailand, moisture 38 % (Wong)",
               rut_soil_clayey_soil_38),
    RUT_PRESET("clayey_soil_55", "clayey soil of Thailand, moisture 55 % (Wong)",
               rut_soil_clayey_soil_55),
    RUT_PRESET("heavy_clay", "heavy clay, moisture 25 %, Waterways Experiment Station (Wong)",
               rut_soil_heavy_clay),
    RUT_PRESET("lean_clay", "lean clay, moisture 22 %, Waterways Experiment Station (Wong)",
               rut_soil_lean_clay),
    RUT_PRESET("lete_sand", "LETE sand (Wong 1989)", rut_soil_lete_sand),
    RUT_PRESET("upland_sandy_loam", "upland sandy loam (Wong 1989)", rut_soil_upland_sandy_loam),
    RUT_PRESET("rubicon_sandy_loam", "Rubicon sandy loam (Wong 1989)", rut_soil_rubicon_sandy_loam),
    RUT_PRESET("north_gower_clayey_loam", "North Gower clayey loam (Wong 1989)",
               rut_soil_north_gower_clayey_loam),
    RUT_PRESET("grenville_loam", "Grenville loam (Wong 1989)", rut_soil_grenville_loam),
    RUT_PRESET("snow_harrison", "snow, after Harrison (Wong)", rut_soil_snow_harrison),
    RUT_PRESET("snow_sweden", "snow of Sweden (Wong)", rut_soil_snow_sweden),
    RUT_PRESET("snow_greenland",
               "snow of Greenland over a hard layer at 0.54 m (Wong and "
               "Preston-Thomas)",
               rut_soil_snow_greenland),
    RUT_PRESET("muskeg_petawawa_a", "muskeg of Petawawa, site A (Wong et al. 1979)",
               rut_soil_muskeg_a),
    RUT_PRESET("muskeg_petawawa_b", "muskeg of Petawawa, site B (Wong et al. 1979)",
               rut_soil_muskeg_b),
    RUT_PRESET("scm_default", "soil of Chrono's SCM, default", rut_soil_scm_default),
    RUT_PRESET("scm_soft", "soft soil of Chrono's SCM", rut_soil_scm_soft),
    RUT_PRESET("scm_hard", "hard soil of Chrono's SCM", rut_soil_scm_hard),
    RUT_PRESET("lunar_nominal",
               "nominal soil of the Moon, with its weight there (Lunar Sourcebook)",
               rut_soil_lunar_nominal),
    RUT_PRESET("lunar_simulant",
               "simulant FJS-1, with its weight on the Earth; K grows with the slip angle "
               "(Ishigami et al.)",
               rut_soil_lunar_simulant),
    RUT_PRESET("mars_soft",
               "soft ground of Mars, form of Reece, with its weight there (not verified)",
               rut_soil_mars_soft),
    RUT_PRESET("mars_dune",
               "dune sand of Mars, form of Reece, with its weight there (not verified)",
               rut_soil_mars_dune),
    RUT_PRESET("user", "k_phi of 1 MN/m3 with n = 1 and 30 deg, for a soil of one's own",
               rut_soil_user)};

#endif  // RUT_SOIL_SOIL_PRESETS_H
