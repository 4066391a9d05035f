// SPDX-License-Identifier: BSD-3-Clause
#include "base/units.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

enum { MESSAGE = 160 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

enum {
  KG = RUT_UNIT_KG,
  M = RUT_UNIT_M,
  S = RUT_UNIT_S,
  A = RUT_UNIT_A,
  K = RUT_UNIT_K,
  MOL = RUT_UNIT_MOL,
  CD = RUT_UNIT_CD,
  RAD = RUT_UNIT_RAD,
  CYCLE,
  BYTE,
  DIMENSIONS
};
enum { MAX_POWER = 9, MAX_TERMS = 12, MAX_UNIT_NAME = 12 };

// Value in SI = value * num / den. Two whole numbers rather than their quotient: 5 ms is then
// 5/1000 rounded once, the double that 0.005 is.
typedef struct Scale {
  double num, den;
  int power[DIMENSIONS];  // doubled, so that roots of units have whole ones
  bool turned;            // has an angle unit other than rad, so the target must name an angle
  bool percent;           // target must be a pure number
} Scale;

typedef struct Unit {
  const char* name;
  double num, den;
  signed char power[DIMENSIONS];
  bool prefix;  // takes SI prefixes
} Unit;

#define PI 3.14159265358979323846

// Exact definitions: SI brochure (9th ed., 2019); inch, pound, standard gravity (NIST SP 811).
static const Unit units[] = {
    {"m", 1, 1, {[M] = 1}, true},
    {"kg", 1, 1, {[KG] = 1}, false},
    {"g", 1, 1000, {[KG] = 1}, true},
    {"s", 1, 1, {[S] = 1}, true},
    {"A", 1, 1, {[A] = 1}, true},
    {"K", 1, 1, {[K] = 1}, true},
    {"mol", 1, 1, {[MOL] = 1}, true},
    {"cd", 1, 1, {[CD] = 1}, true},
    {"lx", 1, 1, {[CD] = 1, [M] = -2}, true},
    {"rad", 1, 1, {[RAD] = 1}, true},
    {"deg", PI, 180, {[RAD] = 1}, false},
    {"\xc2\xb0", PI, 180, {[RAD] = 1}, false},
    {"rev", 2 * PI, 1, {[RAD] = 1}, false},
    {"rpm", PI, 30, {[RAD] = 1, [S] = -1}, false},
    {"Hz", 1, 1, {[S] = -1, [CYCLE] = 1}, true},
    {"N", 1, 1, {[KG] = 1, [M] = 1, [S] = -2}, true},
    {"Nm", 1, 1, {[KG] = 1, [M] = 2, [S] = -2}, true},
    {"Pa", 1, 1, {[KG] = 1, [M] = -1, [S] = -2}, true},
    {"J", 1, 1, {[KG] = 1, [M] = 2, [S] = -2}, true},
    {"W", 1, 1, {[KG] = 1, [M] = 2, [S] = -3}, true},
    {"Wh", 3600, 1, {[KG] = 1, [M] = 2, [S] = -2}, true},
    {"C", 1, 1, {[A] = 1, [S] = 1}, true},
    {"Ah", 3600, 1, {[A] = 1, [S] = 1}, true},
    {"V", 1, 1, {[KG] = 1, [M] = 2, [S] = -3, [A] = -1}, true},
    {"ohm", 1, 1, {[KG] = 1, [M] = 2, [S] = -3, [A] = -2}, true},
    {"\xce\xa9", 1, 1, {[KG] = 1, [M] = 2, [S] = -3, [A] = -2}, true},
    {"H", 1, 1, {[KG] = 1, [M] = 2, [S] = -2, [A] = -2}, true},
    {"F", 1, 1, {[KG] = -1, [M] = -2, [S] = 4, [A] = 2}, true},
    {"Wb", 1, 1, {[KG] = 1, [M] = 2, [S] = -2, [A] = -1}, true},
    {"T", 1, 1, {[KG] = 1, [S] = -2, [A] = -1}, true},
    {"min", 60, 1, {[S] = 1}, false},
    {"h", 3600, 1, {[S] = 1}, false},
    {"day", 86400, 1, {[S] = 1}, false},
    {"L", 1, 1000, {[M] = 3}, true},
    {"l", 1, 1000, {[M] = 3}, true},
    {"t", 1000, 1, {[KG] = 1}, false},
    {"bar", 100000, 1, {[KG] = 1, [M] = -1, [S] = -2}, true},
    {"atm", 101325, 1, {[KG] = 1, [M] = -1, [S] = -2}, false},
    {"psi", 6894.757293168361, 1, {[KG] = 1, [M] = -1, [S] = -2}, false},
    {"in", 254, 10000, {[M] = 1}, false},
    {"ft", 3048, 10000, {[M] = 1}, false},
    {"yd", 9144, 10000, {[M] = 1}, false},
    {"mi", 1609344, 1000, {[M] = 1}, false},
    {"mph", 44704, 100000, {[M] = 1, [S] = -1}, false},
    {"knot", 1852, 3600, {[M] = 1, [S] = -1}, false},
    {"lb", 45359237, 100000000, {[KG] = 1}, false},
    {"lbf", 4.4482216152605, 1, {[KG] = 1, [M] = 1, [S] = -2}, false},
    {"slug", 14.593902937206364, 1, {[KG] = 1}, false},
    {"kgf", 980665, 100000, {[KG] = 1, [M] = 1, [S] = -2}, false},
    {"hp", 745.69987158227022, 1, {[KG] = 1, [M] = 2, [S] = -3}, false},
    {"B", 1, 1, {[BYTE] = 1}, true},
    {"%", 1, 100, {0}, false},
};
static const Unit gravity = {"g", 980665, 100000, {[M] = 1, [S] = -2}, true};

enum { UNITS = (int)(sizeof units / sizeof units[0]) };

static const struct {
  const char* text;
  double num, den;
} prefixes[] = {
    {"G", 1e9, 1}, {"M", 1e6, 1}, {"k", 1e3, 1},  {"h", 1e2, 1},
    {"d", 1, 1e1}, {"c", 1, 1e2}, {"m", 1, 1e3},  {"\xc2\xb5", 1, 1e6},
    {"u", 1, 1e6}, {"n", 1, 1e9}, {"p", 1, 1e12}, {"\xce\xbc", 1, 1e6},
};

static const Unit* find_unit(const char* name, bool g_is_gravity) {
  if (g_is_gravity && strcmp(name, "g") == 0) return &gravity;
  for (int i = 0; i < UNITS; ++i) {
    if (strcmp(name, units[i].name) == 0) return &units[i];
  }
  return NULL;
}

// True for 1, 2, ... as far as doubles hold every whole number.
static bool is_whole(double x) { return x >= 1.0 && x <= 9e15 && x == (double)(int64_t)x; }

// Keep the factors small and equal ones gone, so that SI to SI is exact.
static void reduce(Scale* scale) {
  if (scale->num == scale->den) scale->num = scale->den = 1.0;
  double a = scale->num, b = scale->den;
  if (!is_whole(a) || !is_whole(b)) return;
  while (b > 0.0) {
    const double rest = (double)((int64_t)a % (int64_t)b);
    a = b;
    b = rest;
  }
  scale->num /= a;
  scale->den /= a;
}

static void multiply(Scale* scale, const Unit* unit, double num, double den, int power) {
  for (int i = 0; i < abs(power); ++i) {
    scale->num *= power > 0 ? num : den;
    scale->den *= power > 0 ? den : num;
    reduce(scale);
  }
  for (int d = 0; d < DIMENSIONS; ++d) scale->power[d] += 2 * power * unit->power[d];
  if (unit->power[RAD] && unit->num != 1.0) scale->turned = true;
  if (unit->name[0] == '%') scale->percent = true;
}

// Multiply by a named unit, with or without prefix; false if there is none of that name.
static bool apply_name(Scale* scale, const char* name, int power, bool g_is_gravity) {
  const Unit* unit = find_unit(name, g_is_gravity);
  if (unit) {
    multiply(scale, unit, unit->num, unit->den, power);
    return true;
  }
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i) {
    const size_t n = strlen(prefixes[i].text);
    if (strncmp(name, prefixes[i].text, n) != 0) continue;
    unit = find_unit(name + n, g_is_gravity);
    if (unit && unit->prefix) {
      multiply(scale, unit, unit->num * prefixes[i].num, unit->den * prefixes[i].den, power);
      return true;
    }
  }
  return false;
}

// A byte of a unit's name: letters, %, and the non-ASCII ones but superscripts and middle dot.
static bool starts_unit(const char* p) {
  if (is_letter(*p) || *p == '%') return true;
  if ((unsigned char)*p < 0x80) return false;
  return strncmp(p, "\xc2\xb2", 2) && strncmp(p, "\xc2\xb3", 2) && strncmp(p, "\xc2\xb7", 2);
}

// Exponent after a unit's name: 2, ^2, -1, ^-1, superscript 2 or 3; 1 if there is none.
static bool read_power(const char** text, int* power) {
  const char* p = *text;
  *power = 1;
  if (strncmp(p, "\xc2\xb2", 2) == 0 || strncmp(p, "\xc2\xb3", 2) == 0) {
    *power = p[1] == '\xb2' ? 2 : 3;
    *text = p + 2;
    return true;
  }
  const bool caret = *p == '^';
  if (caret) ++p;
  const bool negative = *p == '-' && is_digit(p[1]);
  if (negative) ++p;
  if (!is_digit(*p)) return !caret;
  *power = *p - '0';
  if (is_digit(p[1]) || *power == 0) return false;
  if (negative) *power = -*power;
  *text = p + 1;
  return true;
}

static bool say(char message[MESSAGE], const char* format, ...)
    __attribute__((format(printf, 2, 3)));
static bool say(char message[MESSAGE], const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, MESSAGE, format, args);
  va_end(args);
  return false;
}

static bool unknown_unit(const char* name, char message[MESSAGE]) {
  const char* candidate[UNITS];
  for (int i = 0; i < UNITS; ++i) candidate[i] = units[i].name;
  const char* nearest = rut_suggest(name, candidate, UNITS);
  if (nearest) return say(message, "unknown unit '%s'; did you mean '%s'?", name, nearest);
  return say(message, "unknown unit '%s'", name);
}

// Square root by Newton's method, exact of squares.
static double square_root(double x) {
  enum { STEPS = 60 };
  double root = x > 1 ? x : 1;
  for (int i = 0; i < STEPS; ++i) root = 0.5 * (root + x / root);
  return root;
}

// "sqrt(Hz)", "sqrt(h)": the root of one unit. The hertz of a noise density is 1/s.
static bool read_root(const char** text, Scale* scale, int sign, char message[MESSAGE]) {
  char name[MAX_UNIT_NAME + 1];
  const char* p = *text + strlen("sqrt(");
  int length = 0;
  while (starts_unit(p) && length < MAX_UNIT_NAME) name[length++] = *p++;
  name[length] = '\0';
  Scale inside = {.num = 1.0, .den = 1.0};
  if (*p != ')' || !apply_name(&inside, name, 1, false)) {
    return say(message, "sqrt() of a unit must contain one unit, such as sqrt(Hz), not '%.20s'",
               *text);
  }
  inside.power[CYCLE] = 0;
  const double num = square_root(inside.num), den = square_root(inside.den);
  scale->num *= sign > 0 ? num : den;
  scale->den *= sign > 0 ? den : num;
  reduce(scale);
  for (int d = 0; d < DIMENSIONS; ++d) scale->power[d] += sign * inside.power[d] / 2;
  *text = p + 1;
  return true;
}

static bool read_term(const char** text, Scale* scale, int sign, bool g_is_gravity,
                      char message[MESSAGE]) {
  const char* p = *text;
  char name[MAX_UNIT_NAME + 1];
  int length = 0;
  if (strncmp(p, "sqrt(", 5) == 0) return read_root(text, scale, sign, message);
  while (starts_unit(p)) {
    if (length == MAX_UNIT_NAME) return say(message, "unknown unit '%.12s...'", name);
    name[length++] = *p++;
    name[length] = '\0';
  }
  if (length == 0) return say(message, "a unit is missing at '%.20s'", p);
  int power;
  if (!read_power(&p, &power)) {
    return say(message, "exponent of unit '%s' must be a whole number from 1 to %d", name,
               MAX_POWER);
  }
  if (!apply_name(scale, name, sign * power, g_is_gravity)) return unknown_unit(name, message);
  *text = p;
  return true;
}

// Read a product of powers of units. Blanks, * and the middle dot multiply, / divides by the next
// one. Stops before anything that cannot belong to a unit.
static bool read_unit(const char* text, bool g_is_gravity, Scale* scale, const char** end,
                      char message[MESSAGE]) {
  *scale = (Scale){.num = 1.0, .den = 1.0};
  const char* p = text;
  int sign = 1;
  // "1/s": a pure number to start from
  if (*p == '1' && *skip_blanks(p + 1) == '/') {
    p = skip_blanks(skip_blanks(p + 1) + 1);
    sign = -1;
  }
  for (int terms = 0;; ++terms) {
    if (terms == MAX_TERMS) return say(message, "a unit has more than %d factors", MAX_TERMS);
    if (!read_term(&p, scale, sign, g_is_gravity, message)) return false;
    *end = p;
    p = skip_blanks(p);
    sign = 1;
    if (*p == '*' || *p == '/') {
      sign = *p == '/' ? -1 : 1;
      p = skip_blanks(p + 1);
    } else if (strncmp(p, "\xc2\xb7", 2) == 0) {
      p = skip_blanks(p + 2);
    } else if (!starts_unit(p)) {
      return true;
    }
  }
}

// A radian is a pure number, so N m is as good as N m/rad. A degree is none, nor is a turn, and a
// hertz is not a radian per second: these must agree, or a factor of 2 pi slips in.
static bool dimensions_fit(const Scale* given, const Scale* wanted) {
  for (int d = 0; d < RAD; ++d) {
    if (given->power[d] != wanted->power[d]) return false;
  }
  const int have = given->power[RAD], want = wanted->power[RAD];
  if (given->percent && want) return false;
  if (given->power[CYCLE] && want) return false;
  if (wanted->power[CYCLE] && have) return false;
  if (given->turned) return have == want;
  return have == want || have == 0 || want == 0;
}

// Unit expression of a field; "" and "1" are pure numbers.
static bool field_scale(const char* unit, Scale* scale, char message[MESSAGE]) {
  const char* end;
  if (unit[0] == '\0' || strcmp(unit, "1") == 0) {
    *scale = (Scale){.num = 1.0, .den = 1.0};
    return true;
  }
  return read_unit(unit, false, scale, &end, message);
}

static bool misfit(const char* given, const char* end, const char* unit, char message[MESSAGE]) {
  const int length = end - given > 40 ? 40 : (int)(end - given);
  if (unit[0] == '\0' || strcmp(unit, "1") == 0) {
    return say(message, "unit '%.*s' does not fit; this is a pure number", length, given);
  }
  return say(message, "unit '%.*s' does not fit; this is in %s", length, given, unit);
}

bool rut_parse_quantity(const char* text, const char* unit, double* value, const char** end,
                        char message[160]) {
  double number;
  const char* p;
  if (!rut_parse_number(text, &number, &p)) {
    text = skip_blanks(text);
    if (!*text) return say(message, "a number is missing");
    if (is_digit(*text)) return say(message, "'%.40s' is too large", text);
    return say(message, "'%.40s' is not a number", text);
  }
  *end = p;
  p = skip_blanks(p);
  const bool reciprocal = *p == '1' && *skip_blanks(p + 1) == '/';
  if (starts_unit(p) || reciprocal) {
    Scale given, wanted;
    if (!field_scale(unit, &wanted, message)) return false;
    if (!read_unit(p, false, &given, end, message)) return false;
    if (!dimensions_fit(&given, &wanted)) {
      // g is gram or standard gravity, whichever fits
      const char* mass_end = *end;
      if (!read_unit(p, true, &given, end, message) || !dimensions_fit(&given, &wanted)) {
        return misfit(p, mass_end, unit, message);
      }
    }
    given.num *= wanted.den;
    given.den *= wanted.num;
    reduce(&given);
    number = number * given.num / given.den;
    if (number - number != 0.0) return say(message, "'%.40s' is too large", text);
  }
  *value = number;
  return true;
}

bool rut_unit_powers(const char* unit, int power[RUT_BASE_UNITS], double* factor) {
  Scale scale;
  char message[MESSAGE];
  const char* end = "";
  if (unit[0] && strcmp(unit, "1") != 0) {
    if (!read_unit(unit, false, &scale, &end, message)) return false;
  } else {
    scale = (Scale){.num = 1.0, .den = 1.0};
  }
  bool whole = *skip_blanks(end) == '\0' && scale.power[BYTE] == 0;
  for (int i = 0; i < RUT_BASE_UNITS; ++i) {
    whole = whole && scale.power[i] % 2 == 0;
    power[i] = scale.power[i] / 2;
  }
  *factor = scale.num / scale.den;
  return whole;
}
