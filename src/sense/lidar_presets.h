// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_SENSE_LIDAR_PRESETS_H
#define RUT_SENSE_LIDAR_PRESETS_H

#include "rut/sensor.h"

enum { RUT_LIDAR_PRESETS = 17 };
extern const rutPreset rut_lidar_presets[RUT_LIDAR_PRESETS];

#endif  // RUT_SENSE_LIDAR_PRESETS_H
