// SPDX-License-Identifier: BSD-3-Clause
#include "base/date.h"

// Reads `digits` digits, then the sign `end` if it is not 0. False if they are not there.
static bool take(const char** at, int digits, char end, int* value) {
  int sum = 0;
  for (int i = 0; i < digits; i++, ++*at) {
    if (**at < '0' || **at > '9') return false;
    sum = 10 * sum + (**at - '0');
  }
  if (end && *(*at)++ != end) return false;
  *value = sum;
  return true;
}

static int days_of_month(int year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  // the calendar has no exception from 1901 to 2099
  return days[month - 1] + (month == 2 && year % 4 == 0);
}

// Days after 1 January 2000.
static int days_of(int year, int month, int day) {
  int days = 365 * (year - 2000) + (year - 1) / 4 - 1999 / 4;
  for (int m = 1; m < month; m++) days += days_of_month(year, m);
  return days + day - 1;
}

// Offset from UTC in minutes: nothing, Z, or +02:00.
static bool take_offset(const char** at, int* minutes) {
  int hour = 0, minute = 0;
  *minutes = 0;
  if (**at == 'Z') ++*at;
  if (**at != '+' && **at != '-') return true;
  const int sign = *(*at)++ == '+' ? 1 : -1;
  if (!take(at, 2, ':', &hour) || !take(at, 2, 0, &minute)) return false;
  *minutes = sign * (60 * hour + minute);
  return hour < 24 && minute < 60;
}

bool rut_date_parse(const char* text, double* seconds) {
  int year, month, day, hour, minute, second = 0, offset;
  const char* at = text;
  if (!take(&at, 4, '-', &year) || !take(&at, 2, '-', &month) || !take(&at, 2, 0, &day)) {
    return false;
  }
  if (year < 1901 || year > 2099 || month < 1 || month > 12) return false;
  if (day < 1 || day > days_of_month(year, month)) return false;
  if (*at != 'T' && *at != ' ') return false;
  at++;
  if (!take(&at, 2, ':', &hour) || !take(&at, 2, 0, &minute)) return false;
  if (*at == ':') {
    at++;
    if (!take(&at, 2, 0, &second)) return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  if (!take_offset(&at, &offset) || *at) return false;
  *seconds = 86400.0 * (days_of(year, month, day) - 0.5) + 3600.0 * hour +
             60.0 * (minute - offset) + second;
  return true;
}
