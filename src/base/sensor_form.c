// SPDX-License-Identifier: BSD-3-Clause
#include "base/sensor_form.h"

static const rutFormOutput rows[RUT_FORM_COUNT][RUT_FORM_OUTPUTS] = {
    [RUT_FORM_PLANAR_SCAN] = {{"range", RUT_F64, 0, "m", false}},
    [RUT_FORM_IMU] = {{"angular_velocity", RUT_F64, 3, "rad/s", false},
                      {"specific_force", RUT_F64, 3, "m/s2", false},
                      {"orientation", RUT_F64, 4, "", true}},
    [RUT_FORM_MAGNETIC_FIELD] = {{"magnetic_field", RUT_F64, 3, "T", false}},
    [RUT_FORM_FLUID_PRESSURE] = {{"pressure", RUT_F64, 1, "Pa", false}},
    [RUT_FORM_POINT_CLOUD] = {{"range", RUT_F64, 0, "m", false},
                              {"x", RUT_F64, 0, "m", false},
                              {"y", RUT_F64, 0, "m", false},
                              {"z", RUT_F64, 0, "m", false},
                              {"intensity", RUT_F32, 0, "", false},
                              {"return_number", RUT_U8, 0, "", false},
                              {"time", RUT_F32, 0, "s", false},
                              {"ring", RUT_U16, 0, "", false},
                              {"class", RUT_I32, 0, "", true},
                              {"instance", RUT_I32, 0, "", true}},
    [RUT_FORM_NAV_SAT_FIX] = {{"latitude", RUT_F64, 1, "rad", false},
                              {"longitude", RUT_F64, 1, "rad", false},
                              {"altitude", RUT_F64, 1, "m", false},
                              {"standard_deviation", RUT_F64, 3, "m", false},
                              {"fix", RUT_U8, 1, "", false}},
    [RUT_FORM_RANGE] = {{"range", RUT_F64, 1, "m", false}},
    [RUT_FORM_IMAGE] = {{"colour", RUT_U8, 0, "", false},
                        {"depth", RUT_F32, 0, "m", false},
                        {"class", RUT_I32, 0, "", false},
                        {"instance", RUT_I32, 0, "", false},
                        {"normal", RUT_F32, 0, "", true},
                        {"flow", RUT_F32, 0, "", true}},
    [RUT_FORM_RADAR] = {{"range", RUT_F64, 0, "m", false},
                        {"azimuth", RUT_F64, 0, "rad", false},
                        {"elevation", RUT_F64, 0, "rad", false},
                        {"range_rate", RUT_F64, 0, "m/s", false},
                        {"rcs", RUT_F64, 0, "m2", false},
                        {"snr", RUT_F64, 0, "", false}},
    [RUT_FORM_JOINTS] = {{"angle", RUT_F64, 0, "rad", true},
                         {"speed", RUT_F64, 0, "rad/s", true},
                         {"steer", RUT_F64, 0, "rad", true},
                         {"steer_rate", RUT_F64, 0, "rad/s", true},
                         {"torque", RUT_F64, 0, "N m", true}},
    [RUT_FORM_BATTERY] = {{"voltage", RUT_F64, 1, "V", false},
                          {"current", RUT_F64, 1, "A", false},
                          {"state_of_charge", RUT_F64, 1, "", false}},
};

const rutFormOutput* rut_form_outputs(rutSensorForm form, int* n) {
  *n = 0;
  while (*n < RUT_FORM_OUTPUTS && rows[form][*n].name) (*n)++;
  return rows[form];
}
