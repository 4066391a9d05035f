// SPDX-License-Identifier: BSD-3-Clause
// for realpath
#define _XOPEN_SOURCE 700
#include "sim/spec/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "math/rut_math.h"

enum { MAX_PATH_TEXT = 4096 };

static const char separators[] = " \t\r\n,;";

// ---------------------------------------------------------------------------------------------
// Memory

char* rut_copy_text(rutContext* context, const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = rut_context_alloc(context, size, 1);
  if (copy) memcpy(copy, text, size);
  return copy;
}

void rut_string_add(rutString* string, const char* text) {
  const size_t size = strlen(text);
  if (string->failed) return;
  if (string->size + size + 1 > string->capacity) {
    const size_t capacity = 2 * string->capacity + size + 256;
    char* grown = rut_context_grow(string->context, string->data, string->size, capacity);
    if (!grown) {
      string->failed = true;
      return;
    }
    string->data = grown;
    string->capacity = capacity;
  }
  memcpy(string->data + string->size, text, size + 1);
  string->size += size;
}

void rut_string_free(rutString* string) {
  rut_context_free(string->context, string->data);
  string->data = NULL;
  string->size = string->capacity = 0;
}

void rut_field_free(rutContext* context, rutFieldValue* value) {
  rut_context_free(context, value->list);
  rut_context_free(context, value->text);
  *value = (rutFieldValue){0};
}

static rutStatus say(rutStatus status, char message[RUT_FIELD_MESSAGE], const char* format, ...)
    RUT_PRINTF(3, 4);
static rutStatus say(rutStatus status, char message[RUT_FIELD_MESSAGE], const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, RUT_FIELD_MESSAGE, format, args);
  va_end(args);
  return status;
}

// ---------------------------------------------------------------------------------------------
// What a row says

void rut_field_unit(const rutField* field, int i, char unit[RUT_MAX_UNIT]) {
  const char* p = field->unit;
  size_t length = strlen(p);
  if (field->flags & RUT_FIELD_MIXED) {
    // one word for each number; the last one serves those that follow
    for (; i > 0; --i) {
      const size_t n = strcspn(p, " ");
      if (p[n] == '\0') break;
      p += n + 1;
    }
    length = strcspn(p, " ");
  }
  if (length > RUT_MAX_UNIT - 1) length = RUT_MAX_UNIT - 1;
  memcpy(unit, p, length);
  unit[length] = '\0';
}

const char* rut_field_word(const rutField* field, int i, size_t* length) {
  const char* p = field->text;
  for (; i > 0; --i) {
    p = strchr(p, '|');
    if (!p) return NULL;
    ++p;
  }
  *length = strcspn(p, "|");
  return p;
}

static bool has_range(const rutField* field) { return field->min < field->max; }

// ---------------------------------------------------------------------------------------------
// Checks of numbers

static bool is_pure(const char* unit) { return !unit[0] || strcmp(unit, "1") == 0; }

// A bound with its unit, as a file would give it.
static void print_bound(double value, const char* unit, char text[64]) {
  char number[32];
  rut_format_number(value, number);
  const bool pure = is_pure(unit);
  snprintf(text, 64, "%s%s%s", number, pure ? "" : " ", pure ? "" : unit);
}

static rutStatus check_range(const rutField* field, int i, double value,
                             char message[RUT_FIELD_MESSAGE]) {
  if (!has_range(field) || (value >= field->min && value <= field->max)) return RUT_OK;
  char unit[RUT_MAX_UNIT], is[64], low[64], high[64];
  rut_field_unit(field, i, unit);
  print_bound(value, unit, is);
  print_bound(field->min, unit, low);
  print_bound(field->max, unit, high);
  if (value < field->min) {
    return say(RUT_ERR_PARSE, message, "must be at least %s, not %s", low, is);
  }
  return say(RUT_ERR_PARSE, message, "must be at most %s, not %s", high, is);
}

static rutStatus check_scalar(const rutField* field, double value,
                              char message[RUT_FIELD_MESSAGE]) {
  if (!rut_is_finite(value)) return say(RUT_ERR_PARSE, message, "must be a finite number");
  if (field->type == RUT_REAL) return check_range(field, 0, value, message);
  const bool whole = rut_floor(value) == value && rut_abs(value) <= 9007199254740992.0;
  if (!whole) return say(RUT_ERR_PARSE, message, "must be a whole number, not %.9g", value);
  size_t length;
  if (field->type == RUT_BOOLEAN && value != 0.0 && value != 1.0) {
    return say(RUT_ERR_PARSE, message, "must be true or false");
  }
  if (field->type == RUT_CHOICE && (value < 0.0 || value >= RUT_FIELD_MAX_WORDS ||
                                    !rut_field_word(field, (int)value, &length))) {
    return say(RUT_ERR_PARSE, message, "must be one of %s", field->text);
  }
  return field->type == RUT_INTEGER ? check_range(field, 0, value, message) : RUT_OK;
}

static rutStatus check_list(const rutField* field, int n, const double* number,
                            char message[RUT_FIELD_MESSAGE]) {
  if (field->type == RUT_VECTOR && field->count && n != field->count) {
    return say(RUT_ERR_PARSE, message, "must have %d numbers, not %d", field->count, n);
  }
  if (field->type == RUT_POINTS && n % 2) {
    return say(RUT_ERR_PARSE, message,
               "must be pairs of numbers, x y for each point, not %d "
               "numbers",
               n);
  }
  for (int i = 0; i < n; ++i) {
    if (!rut_is_finite(number[i])) {
      return say(RUT_ERR_PARSE, message, "must be finite: number %d is not", i + 1);
    }
    const rutStatus status = check_range(field, i, number[i], message);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

rutStatus rut_field_take(rutContext* context, const rutField* field, int n, const double* number,
                         rutFieldValue* value, char message[RUT_FIELD_MESSAGE]) {
  rutFieldValue taken = {0};
  if (field->type == RUT_TEXT) return say(RUT_ERR_PARSE, message, "must be text, not a number");
  if (field->type != RUT_VECTOR && field->type != RUT_POINTS) {
    if (n != 1) return say(RUT_ERR_PARSE, message, "must be one number, not %d", n);
    const rutStatus status = check_scalar(field, number[0], message);
    if (status != RUT_OK) return status;
    taken.number = number[0];
  } else {
    if (n < 0 || n > RUT_FIELD_MAX_NUMBERS) {
      return say(RUT_ERR_PARSE, message, "must have at most %d numbers", RUT_FIELD_MAX_NUMBERS);
    }
    const rutStatus status = check_list(field, n, number, message);
    if (status != RUT_OK) return status;
    taken.list = rut_context_alloc(context, (size_t)n * sizeof(double), 16);
    if (n && !taken.list) return say(RUT_ERR_MEMORY, message, "does not fit into memory");
    if (n) memcpy(taken.list, number, (size_t)n * sizeof(double));
    taken.numbers = n;
  }
  rut_field_free(context, value);
  *value = taken;
  return RUT_OK;
}

// ---------------------------------------------------------------------------------------------
// Text to value

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_word(const char* text, size_t n, const char* word, size_t length) {
  if (n != length) return false;
  for (size_t i = 0; i < n; ++i) {
    if (lower(text[i]) != lower(word[i])) return false;
  }
  return true;
}

// Text without the blanks around it.
static const char* trim(const char* text, size_t* length) {
  text += strspn(text, " \t\r\n");
  size_t n = strlen(text);
  while (n && strchr(" \t\r\n", text[n - 1])) --n;
  *length = n;
  return text;
}

static rutStatus parse_boolean(const char* text, double* value, char message[RUT_FIELD_MESSAGE]) {
  static const char* const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
  size_t n;
  text = trim(text, &n);
  for (int i = 0; i < RUT_COUNT_OF(words); ++i) {
    if (same_word(text, n, words[i], strlen(words[i]))) {
      *value = i % 2;
      return RUT_OK;
    }
  }
  return say(RUT_ERR_PARSE, message, "must be true or false, not '%.60s'", text);
}

static rutStatus parse_choice(const rutField* field, const char* text, double* value,
                              char message[RUT_FIELD_MESSAGE]) {
  size_t n, length;
  text = trim(text, &n);
  int words = 0;
  for (const char* p; words < RUT_FIELD_MAX_WORDS && (p = rut_field_word(field, words, &length));
       ++words) {
    if (!same_word(text, n, p, length)) continue;
    *value = words;
    return RUT_OK;
  }
  char copy[RUT_FIELD_MAX_WORDS][32];
  const char* word[RUT_FIELD_MAX_WORDS];
  for (int i = 0; i < words; i++) {
    const char* p = rut_field_word(field, i, &length);
    snprintf(copy[i], sizeof copy[i], "%.*s", (int)length, p);
    word[i] = copy[i];
  }
  char given[64];
  snprintf(given, sizeof given, "%.*s", (int)(n < 60 ? n : 60), text);
  const char* nearest = rut_suggest(given, word, (size_t)words);
  if (nearest) {
    return say(RUT_ERR_PARSE, message, "must be one of %.100s, not '%s'; did you mean '%s'?",
               field->text, given, nearest);
  }
  return say(RUT_ERR_PARSE, message, "must be one of %.100s, not '%s'", field->text, given);
}

static rutStatus parse_scalar(const rutField* field, const char* text, double* value,
                              char message[RUT_FIELD_MESSAGE]) {
  char unit[RUT_MAX_UNIT], reason[160];
  const char* end;
  rut_field_unit(field, 0, unit);
  if (!rut_parse_quantity(text, field->type == RUT_INTEGER ? "" : unit, value, &end, reason)) {
    const bool pure = is_pure(unit);
    return say(RUT_ERR_PARSE, message, "must be a number%s%s: %s", pure ? "" : " in ",
               pure ? "" : unit, reason);
  }
  size_t rest;
  end = trim(end, &rest);
  if (rest) return say(RUT_ERR_PARSE, message, "must be one number: unexpected '%.60s'", end);
  return check_scalar(field, *value, message);
}

// Numbers of a list while it is read.
typedef struct List {
  double few[16];
  double* more;  // all of them, heap, where `few` does not hold them
  int n, capacity;
  int bare;  // first of the numbers at the end that were given without a unit
} List;

static double* numbers_of(List* list) { return list->more ? list->more : list->few; }

static rutStatus list_add(rutContext* context, List* list, double number,
                          char message[RUT_FIELD_MESSAGE]) {
  if (list->n == RUT_FIELD_MAX_NUMBERS) {
    return say(RUT_ERR_PARSE, message, "must have at most %d numbers", RUT_FIELD_MAX_NUMBERS);
  }
  if (list->n == list->capacity) {
    const size_t size = (size_t)list->n * sizeof(double);
    double* grown = rut_context_alloc(context, 2 * size, 16);
    if (!grown) return say(RUT_ERR_MEMORY, message, "does not fit into memory");
    memcpy(grown, numbers_of(list), size);
    rut_context_free(context, list->more);
    list->more = grown;
    list->capacity *= 2;
  }
  numbers_of(list)[list->n++] = number;
  return RUT_OK;
}

// Give a value the numbers, in a block of their size.
static rutStatus keep_list(rutContext* context, List* list, rutFieldValue* value,
                           char message[RUT_FIELD_MESSAGE]) {
  const size_t size = (size_t)list->n * sizeof(double);
  if (size) {
    value->list = rut_context_alloc(context, size, 16);
    if (!value->list) return say(RUT_ERR_MEMORY, message, "does not fit into memory");
    memcpy(value->list, numbers_of(list), size);
  }
  value->numbers = list->n;
  return RUT_OK;
}

// A unit after the last of several numbers holds for all of them of the same kind: in "1 2 3 deg"
// the 1 and the 2 are degrees, too. A unit after some of them only would leave it open.
static rutStatus spread_unit(const rutField* field, List* list, const char* unit_text,
                             size_t unit_length, char message[RUT_FIELD_MESSAGE]) {
  char last[RUT_MAX_UNIT], unit[RUT_MAX_UNIT], text[96], reason[160];
  rut_field_unit(field, list->n - 1, last);
  for (int i = list->n - 2; i >= list->bare; --i) {
    rut_field_unit(field, i, unit);
    if (strcmp(unit, last) != 0) break;
    char number[32];
    rut_format_number(numbers_of(list)[i], number);
    snprintf(text, sizeof text, "%s %.*s", number, (int)(unit_length < 60 ? unit_length : 60),
             unit_text);
    const char* end;
    if (!rut_parse_quantity(text, unit, &numbers_of(list)[i], &end, reason)) {
      return say(RUT_ERR_PARSE, message, "must be numbers: %s", reason);
    }
  }
  list->bare = list->n;
  return RUT_OK;
}

// Read one number of a list with its unit, if it has one.
static rutStatus read_item(rutContext* context, const rutField* field, const char** text,
                           List* list, bool* mixed_up, char message[RUT_FIELD_MESSAGE]) {
  char unit[RUT_MAX_UNIT], reason[160];
  double bare, number;
  const char *end, *number_end = *text;
  rut_field_unit(field, list->n, unit);
  if (!rut_parse_quantity(*text, unit, &number, &end, reason)) {
    const bool pure = is_pure(unit);
    return say(RUT_ERR_PARSE, message, "must be numbers%s%s: number %d: %s", pure ? "" : " in ",
               pure ? "" : unit, list->n + 1, reason);
  }
  rut_parse_number(*text, &bare, &number_end);
  rutStatus status = list_add(context, list, number, message);
  if (status != RUT_OK) return status;
  if (end > number_end) {
    number_end += strspn(number_end, " \t\r\n");
    // bare numbers before this one, and numbers with units before those
    if (list->bare > 0 && list->bare < list->n - 1) *mixed_up = true;
    status = spread_unit(field, list, number_end, (size_t)(end - number_end), message);
  }
  *text = end;
  return status;
}

// Points between commas: each part must be one point, or, where every number has its comma, one
// number. *parts counts those with two numbers and those with one.
typedef struct Commas {
  int here, pairs, singles;  // numbers since the last comma
} Commas;

static rutStatus end_part(Commas* commas, int points, char message[RUT_FIELD_MESSAGE]) {
  const int n = commas->here;
  commas->here = 0;
  commas->pairs += n == 2;
  commas->singles += n == 1;
  if (n <= 2 && !(commas->pairs && commas->singles)) return RUT_OK;
  const char* rule = "must be pairs of numbers, x y for each point";
  if (n == 2) {
    return say(RUT_ERR_PARSE, message,
               "%s: point %d has no comma between its numbers, unlike those before", rule,
               points + 1);
  }
  return say(RUT_ERR_PARSE, message, "%s: point %d has %d number%s", rule, points + 1, n,
             n == 1 ? "" : "s");
}

static rutStatus parse_list(rutContext* context, const rutField* field, const char* text,
                            List* list, char message[RUT_FIELD_MESSAGE]) {
  bool mixed_up = false, split = false;
  Commas commas = {0};
  const bool points = field->type == RUT_POINTS && strchr(text, ',');
  for (;;) {
    const char* from = text;
    text += strspn(text, separators);
    split = points && (!*text || memchr(from, ',', (size_t)(text - from)));
    if (split && commas.here) {
      const rutStatus status = end_part(&commas, (list->n - commas.here) / 2, message);
      if (status != RUT_OK) return status;
    }
    if (!*text) break;
    commas.here++;
    const rutStatus status = read_item(context, field, &text, list, &mixed_up, message);
    if (status != RUT_OK) return status;
    if (*text && !strchr(separators, *text)) {
      return say(RUT_ERR_PARSE, message, "must be numbers: unexpected '%.40s'", text);
    }
  }
  if (field->flags & RUT_FIELD_MIXED) return RUT_OK;
  if (mixed_up || (list->bare > 0 && list->bare < list->n)) {
    return say(RUT_ERR_PARSE, message,
               "must have a unit after each number, after the last one for all, or after none");
  }
  return RUT_OK;
}

rutStatus rut_field_parse(rutContext* context, const rutField* field, const char* text,
                          rutFieldValue* value, char message[RUT_FIELD_MESSAGE]) {
  rutFieldValue parsed = {0};
  rutStatus status = RUT_OK;
  List list = {.capacity = RUT_COUNT_OF(list.few)};
  switch (field->type) {
    case RUT_REAL:
    case RUT_INTEGER:
      status = parse_scalar(field, text, &parsed.number, message);
      break;
    case RUT_BOOLEAN:
      status = parse_boolean(text, &parsed.number, message);
      break;
    case RUT_CHOICE:
      status = parse_choice(field, text, &parsed.number, message);
      break;
    case RUT_TEXT:
      parsed.text = rut_copy_text(context, text);
      if (!parsed.text) status = say(RUT_ERR_MEMORY, message, "does not fit into memory");
      break;
    case RUT_VECTOR:
    case RUT_POINTS:
      status = parse_list(context, field, text, &list, message);
      if (status == RUT_OK) status = check_list(field, list.n, numbers_of(&list), message);
      if (status == RUT_OK) status = keep_list(context, &list, &parsed, message);
      rut_context_free(context, list.more);
      break;
  }
  if (status != RUT_OK) {
    rut_field_free(context, &parsed);
    return status;
  }
  rut_field_free(context, value);
  *value = parsed;
  return RUT_OK;
}

// ---------------------------------------------------------------------------------------------
// Value to text

static void print_number(double value, const char* unit, rutString* out) {
  char number[32];
  rut_format_number(value, number);
  rut_string_add(out, number);
  if (unit[0] && strcmp(unit, "1") != 0) {
    rut_string_add(out, " ");
    rut_string_add(out, unit);
  }
}

static void print_list(const rutField* field, const rutFieldValue* value, rutString* out) {
  const bool mixed = field->flags & RUT_FIELD_MIXED;
  char unit[RUT_MAX_UNIT];
  for (int i = 0; i < value->numbers; ++i) {
    rut_field_unit(field, i, unit);
    if (i) rut_string_add(out, field->type == RUT_POINTS && i % 2 == 0 ? ", " : " ");
    print_number(value->list[i], mixed || i == value->numbers - 1 ? unit : "", out);
  }
}

void rut_field_print(const rutField* field, const rutFieldValue* value, rutString* out) {
  size_t length = 0;
  const char* word;
  switch (field->type) {
    case RUT_REAL:
      print_number(value->number, field->unit, out);
      break;
    case RUT_INTEGER:
      print_number(value->number, "", out);
      break;
    case RUT_BOOLEAN:
      rut_string_add(out, value->number != 0.0 ? "true" : "false");
      break;
    case RUT_CHOICE:
      word = rut_field_word(field, (int)value->number, &length);
      for (size_t i = 0; word && i < length; ++i) rut_string_add(out, (char[]){word[i], '\0'});
      break;
    case RUT_TEXT:
      rut_string_add(out, value->text ? value->text : "");
      break;
    case RUT_VECTOR:
    case RUT_POINTS:
      print_list(field, value, out);
      break;
  }
}

// ---------------------------------------------------------------------------------------------
// File names

static size_t folder_length(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool is_relative(const char* name) {
  return name[0] && name[0] != '/' && !strstr(name, "://");
}

char* rut_field_resolve(rutContext* context, const char* text, const char* standing_in) {
  if (!is_relative(text)) return rut_copy_text(context, text);
  while (text[0] == '.' && text[1] == '/') {
    text += 2;
    text += strspn(text, "/");
  }
  const size_t folder = folder_length(standing_in), size = strlen(text) + 1;
  char* name = rut_context_alloc(context, folder + size, 1);
  if (!name) return NULL;
  memcpy(name, standing_in, folder);
  memcpy(name + folder, text, size);
  return name;
}

// Absolute name of the folder of a path, without links, with a slash at the end.
static bool real_folder(const char* path, char out[MAX_PATH_TEXT]) {
  char folder[MAX_PATH_TEXT];
  const size_t n = folder_length(path);
  if (n >= sizeof folder - 2) return false;
  snprintf(folder, sizeof folder, "%.*s", (int)n, n ? path : "");
  char* real = realpath(n ? folder : ".", NULL);
  if (!real) return false;
  const size_t length = strlen(real);
  const bool fits = length + 2 < MAX_PATH_TEXT;
  if (fits) snprintf(out, MAX_PATH_TEXT, "%s%s", real, strcmp(real, "/") == 0 ? "" : "/");
  free(real);
  return fits;
}

char* rut_field_relative(rutContext* context, const char* name, const char* saved) {
  char to[MAX_PATH_TEXT], from[MAX_PATH_TEXT];
  if (!name[0] || strstr(name, "://") || !real_folder(name, to) || !real_folder(saved, from)) {
    return rut_copy_text(context, name);
  }
  size_t common = 0;  // length of the folders that both share
  for (size_t i = 0; to[i] && to[i] == from[i]; ++i) {
    if (to[i] == '/') common = i + 1;
  }
  rutString out = {.context = context};
  if (common <= 1) {
    // nothing in common but the root: an absolute name is clearer
    rut_string_add(&out, to);
  } else {
    for (const char* p = from + common; (p = strchr(p, '/')); ++p) rut_string_add(&out, "../");
    rut_string_add(&out, to + common);
  }
  rut_string_add(&out, name + folder_length(name));
  return out.failed ? NULL : out.data;
}
