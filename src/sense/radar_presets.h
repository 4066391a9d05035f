// SPDX-License-Identifier: BSD-3-Clause
//
// Radars of data sheets.
#ifndef RUT_SENSE_RADAR_PRESETS_H
#define RUT_SENSE_RADAR_PRESETS_H

#include "rut/sensor.h"

enum { RUT_RADAR_PRESETS = 7 };
extern const rutPreset rut_radar_presets[RUT_RADAR_PRESETS];

#endif  // RUT_SENSE_RADAR_PRESETS_H
