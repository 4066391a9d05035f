// SPDX-License-Identifier: BSD-3-Clause
//
// Units of laws of the weather, in SI units.
#ifndef RUT_SENSE_WEATHER_H
#define RUT_SENSE_WEATHER_H

#define RUT_MM_PER_HOUR (1e-3 / 3600)
#define RUT_DB_PER_KM   2.302585092994046e-4

#endif  // RUT_SENSE_WEATHER_H
