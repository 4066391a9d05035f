// SPDX-License-Identifier: BSD-3-Clause
//
// Dates and times of day.
#ifndef RUT_BASE_DATE_H
#define RUT_BASE_DATE_H

#include <stdbool.h>

// Seconds after 2000-01-01 12:00 UTC, without leap seconds, of a date and time in the form of
// ISO 8601: 2026-06-21T12:30, 2026-06-21 12:30:15+02:00, 2026-06-21T12:30Z. Without an offset from
// UTC it is UTC. False, and *seconds untouched, if it is nothing of the kind; years are 1901 to
// 2099.
bool rut_date_parse(const char* text, double* seconds);

#endif  // RUT_BASE_DATE_H
