// SPDX-License-Identifier: BSD-3-Clause
//
// Dates and times, against values of the system's `date -u -d ... +%s` less 946728000.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/date.h"

static void test_dates(void** state) {
  (void)state;
  static const struct {
    const char* text;
    double seconds;
  } cases[] = {{"2000-01-01T12:00Z", 0},
               {"2000-01-01 12:00:01", 1},
               {"2000-03-01T00:00", 5140800},
               {"1999-12-31T12:00+00:00", -86400},
               {"1992-10-13T00:00Z", -227793600},
               {"2003-10-17T12:30:30-07:00", 119691030},
               {"2026-06-21T12:30+02:00", 835309800},
               {"2096-02-29T23:59:59Z", 3034670399.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double seconds = 0.5;
    assert_true(rut_date_parse(cases[i].text, &seconds));
    if (seconds != cases[i].seconds) fail_msg("%s: %.17g", cases[i].text, seconds);
  }
}

static void test_no_dates(void** state) {
  (void)state;
  static const char* const texts[] = {"",
                                      "noon",
                                      "2026-06-21",
                                      "2026-06-21T",
                                      "2026-6-21T12:00",
                                      "2026-06-21T24:00",
                                      "2026-06-21T12:60",
                                      "2026-06-21T12:00:60",
                                      "2026-13-01T12:00",
                                      "2026-00-01T12:00",
                                      "2026-02-29T12:00",
                                      "2026-06-31T12:00",
                                      "1900-06-21T12:00",
                                      "2100-06-21T12:00",
                                      "2026-06-21T12:00 ",
                                      "2026-06-21T12:00+2",
                                      "2026-06-21T12:00+02",
                                      "2026-06-21T12:00+24:00",
                                      "2026-06-21T12:00Zulu",
                                      "2026/06/21 12:00"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double seconds = 0.5;
    if (rut_date_parse(texts[i], &seconds)) fail_msg("'%s' is taken for %g", texts[i], seconds);
    if (seconds != 0.5) fail_msg("'%s' changes the time", texts[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dates), cmocka_unit_test(test_no_dates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
