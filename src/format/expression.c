// SPDX-License-Identifier: BSD-3-Clause
//
// Evaluates expressions as they are read (recursive descent), weakest operator first:
//   ?:   ||  or   &&  and   == != < <= > >=   + -   * / %   unary - + ! not   ^ (right to left)
// so -2^2 is -4 and 2^-1 is 0.5. Comparisons and logic give 1 or 0.
#include "format/expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "base/units.h"
#include "math/random.h"
#include "math/rut_math.h"

enum {
  MAX_DEPTH = 128,  // nested parentheses (two each), signs, powers
  MAX_ARGUMENTS = 16,
  MAX_NAME = 63,
  RANDOM_STREAM = 0x6578  // sets expressions apart from sensors with the same seed
};

typedef struct Parser {
  const char *text, *p;
  rutScope* scope;            // Nullable
  const rutNumbers* numbers;  // Nullable
  int depth;
  int idle;  // > 0 in a branch whose value is not wanted: it draws no random numbers
  bool failed;
  size_t fault;
  char* message;  // 128 bytes
} Parser;

static double fail_at(Parser* parser, const char* at, const char* format, ...) RUT_PRINTF(3, 4);
static double fail_at(Parser* parser, const char* at, const char* format, ...) {
  if (!parser->failed) {
    parser->failed = true;
    parser->fault = (size_t)(at - parser->text);
    va_list args;
    va_start(args, format);
    vsnprintf(parser->message, 128, format, args);
    va_end(args);
  }
  return 0.0;
}

static void skip_blanks(Parser* parser) {
  const char* p = parser->p;
  while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') p++;
  parser->p = p;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool take_sign(Parser* parser, const char* sign) {
  const size_t n = strlen(sign);
  if (parser->failed || strncmp(parser->p, sign, n) != 0) return false;
  // a word ends where its letters end
  if (is_letter(sign[0]) && (is_letter(parser->p[n]) || is_digit(parser->p[n]))) return false;
  parser->p += n;
  return true;
}

// Take an operator sign if it stands here. Most do not: loops evaluate an expression very often.
static inline bool take(Parser* parser, const char* sign) {
  skip_blanks(parser);
  return *parser->p == sign[0] && take_sign(parser, sign);
}

// ---------------------------------------------------------------------------------------------
// Functions and names

static double sample_uniform(Parser* parser) {
  struct rutExpressionRandom* random = rut_scope_random(parser->scope);
  return rut_uniform(random->seed, RANDOM_STREAM, random->drawn++, 0);
}

static double sample_normal(Parser* parser) {
  struct rutExpressionRandom* random = rut_scope_random(parser->scope);
  return rut_normal(random->seed, RANDOM_STREAM, random->drawn++, 0);
}

static void restart(Parser* parser, double seed) {
  struct rutExpressionRandom* random = rut_scope_random(parser->scope);
  memcpy(&random->seed, &seed, sizeof seed);
  random->drawn = 0;
}

static double round_half_away(double x) {
  const double size = rut_abs(x);
  const double down = rut_floor(size);
  return rut_copysign(size - down >= 0.5 ? down + 1.0 : down, x);
}

static double truncate_toward_zero(double x) { return rut_copysign(rut_floor(rut_abs(x)), x); }

// name, fewest and most arguments, value from the arguments a[0..n)
#define FUNCTIONS(X)                                              \
  X(abs, 1, 1, rut_abs(a[0]))                                     \
  X(sqrt, 1, 1, rut_sqrt(a[0]))                                   \
  X(sin, 1, 1, rut_sin(a[0]))                                     \
  X(cos, 1, 1, rut_cos(a[0]))                                     \
  X(tan, 1, 1, rut_tan(a[0]))                                     \
  X(asin, 1, 1, rut_asin(a[0]))                                   \
  X(acos, 1, 1, rut_acos(a[0]))                                   \
  X(atan, 1, 1, rut_atan(a[0]))                                   \
  X(atan2, 2, 2, rut_atan2(a[0], a[1]))                           \
  X(exp, 1, 1, rut_exp(a[0]))                                     \
  X(log, 1, 1, rut_log(a[0]))                                     \
  X(log10, 1, 1, rut_log10(a[0]))                                 \
  X(pow, 2, 2, rut_pow(a[0], a[1]))                               \
  X(min, 1, MAX_ARGUMENTS, least(a, n))                           \
  X(max, 1, MAX_ARGUMENTS, greatest(a, n))                        \
  X(floor, 1, 1, rut_floor(a[0]))                                 \
  X(ceil, 1, 1, -rut_floor(-a[0]))                                \
  X(round, 1, 1, round_half_away(a[0]))                           \
  X(trunc, 1, 1, truncate_toward_zero(a[0]))                      \
  X(sign, 1, 1, rut_sign(a[0]))                                   \
  X(sgn, 1, 1, rut_sign(a[0]))                                    \
  X(hypot, 2, 2, rut_hypot(a[0], a[1]))                           \
  X(mod, 2, 2, remainder_of(a[0], a[1]))                          \
  X(clamp, 3, 3, rut_max(a[0], rut_min(a[1], a[2])))              \
  X(deg2rad, 1, 1, a[0] * RUT_PI / 180.0)                         \
  X(rad2deg, 1, 1, a[0] * 180.0 / RUT_PI)                         \
  X(rand, 0, 0, sample_uniform(parser))                           \
  X(randn, 0, 0, sample_normal(parser))                           \
  X(unifrnd, 2, 2, a[0] + (a[1] - a[0]) * sample_uniform(parser)) \
  X(randomize, 1, 1, (restart(parser, a[0]), 0.0))

static double least(const double* a, int n) {
  double result = a[0];
  for (int i = 1; i < n; ++i) result = rut_min(result, a[i]);
  return result;
}

static double greatest(const double* a, int n) {
  double result = a[0];
  for (int i = 1; i < n; ++i) result = rut_max(result, a[i]);
  return result;
}

// Remainder with the sign of the dividend, as C's fmod, which is exact in any library.
static double remainder_of(double x, double y) { return fmod(x, y); }

typedef enum Function {
#define X(name, fewest, most, value) FUNCTION_##name,
  FUNCTIONS(X)
#undef X
      FUNCTION_COUNT
} Function;

static const struct {
  const char* name;
  int fewest, most;
} functions[] = {
#define X(name, fewest, most, value) {#name, fewest, most},
    FUNCTIONS(X)
#undef X
};

static double apply(Parser* parser, Function function, const double* a, int n) {
  (void)n;
  switch (function) {
#define X(name, fewest, most, value) \
  case FUNCTION_##name:              \
    return value;
    FUNCTIONS(X)
#undef X
    default:
      return 0.0;
  }
}

static double parse_choice(Parser* parser);

static int read_arguments(Parser* parser, double a[MAX_ARGUMENTS]) {
  int n = 0;
  if (take(parser, ")")) return 0;
  do {
    if (n == MAX_ARGUMENTS) {
      fail_at(parser, parser->p, "more than %d arguments", MAX_ARGUMENTS);
      return n;
    }
    a[n++] = parse_choice(parser);
  } while (take(parser, ","));
  if (!take(parser, ")")) fail_at(parser, parser->p, "')' is missing");
  return n;
}

// Both values of a choice are read, only one is worked out.
static double choose(Parser* parser, bool first, const char* between) {
  parser->idle += !first;
  const double yes = parse_choice(parser);
  parser->idle -= !first;
  if (!take(parser, between)) fail_at(parser, parser->p, "'%s' is missing", between);
  parser->idle += first;
  const double no = parser->failed ? 0.0 : parse_choice(parser);
  parser->idle -= first;
  return first ? yes : no;
}

// if(condition, yes, no), after its parenthesis.
static double call_if(Parser* parser) {
  const bool first = parse_choice(parser) != 0.0;
  if (!take(parser, ",")) return fail_at(parser, parser->p, "',' is missing");
  const double value = choose(parser, first, ",");
  if (!take(parser, ")")) fail_at(parser, parser->p, "')' is missing");
  return value;
}

static double call(Parser* parser, const char* name, const char* at) {
  if (strcmp(name, "if") == 0) return call_if(parser);
  int function = 0;
  while (function < FUNCTION_COUNT && strcmp(name, functions[function].name) != 0) ++function;
  if (function == FUNCTION_COUNT) {
    const char* known[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; ++i) known[i] = functions[i].name;
    const char* nearest = rut_suggest(name, known, FUNCTION_COUNT);
    return fail_at(parser, at,
                   nearest ? "unknown function '%s'; did you mean '%s'?" : "unknown function '%s'",
                   name, nearest);
  }
  double a[MAX_ARGUMENTS] = {0};
  const int n = read_arguments(parser, a);
  if (parser->failed) return 0.0;
  if (n < functions[function].fewest || n > functions[function].most) {
    return fail_at(parser, at, "%s() takes %d argument%s, not %d", name, functions[function].fewest,
                   functions[function].fewest == 1 ? "" : "s", n);
  }
  if (parser->idle) return 0.0;
  if (function >= FUNCTION_rand && !parser->scope) {
    return fail_at(parser, at, "%s() needs the random stream of a world file", name);
  }
  return apply(parser, (Function)function, a, n);
}

static double variable(Parser* parser, const char* name, const char* at) {
  for (int i = 0; parser->numbers && i < parser->numbers->n; ++i) {
    if (strcmp(name, parser->numbers->name[i]) == 0) return parser->numbers->value[i];
  }
  const char* text = parser->scope ? rut_scope_get(parser->scope, name) : NULL;
  if (text) {
    double value;
    const char* end;
    if (rut_parse_number(text, &value, &end) && end[strspn(end, " \t\r\n")] == '\0') return value;
    return fail_at(parser, at, "variable '%s' is not a number: '%.40s'", name, text);
  }
  if (strcmp(name, "pi") == 0 || strcmp(name, "M_PI") == 0) return RUT_PI;
  if (strcmp(name, "e") == 0) return 2.71828182845904523536;
  if (strcmp(name, "true") == 0) return 1.0;
  if (strcmp(name, "false") == 0) return 0.0;
  return fail_at(parser, at, "unknown variable '%s'", name);
}

static double parse_name(Parser* parser) {
  const char* at = parser->p;
  char name[MAX_NAME + 1];
  size_t n = 0;
  while (is_letter(*parser->p) || is_digit(*parser->p)) {
    if (n == MAX_NAME) return fail_at(parser, at, "a name is longer than %d letters", MAX_NAME);
    name[n++] = *parser->p++;
  }
  name[n] = '\0';
  return take(parser, "(") ? call(parser, name, at) : variable(parser, name, at);
}

// ---------------------------------------------------------------------------------------------
// Grammar

static double parse_primary(Parser* parser) {
  skip_blanks(parser);
  if (parser->failed) return 0.0;
  const char* at = parser->p;
  if (take(parser, "(")) {
    const double value = parse_choice(parser);
    if (!take(parser, ")")) fail_at(parser, parser->p, "')' is missing");
    return value;
  }
  if (is_letter(*at)) return parse_name(parser);
  if (is_digit(*at) || *at == '.') {
    double value;
    if (!rut_parse_number(at, &value, &parser->p)) return fail_at(parser, at, "not a number");
    return value;
  }
  if (*at == '\0') return fail_at(parser, at, "a number is missing at the end");
  return fail_at(parser, at, "unexpected '%.8s'", at);
}

static double parse_unary(Parser* parser);

static double parse_power(Parser* parser) {
  const double base = parse_primary(parser);
  if (!take(parser, "^")) return base;
  return rut_pow(base, parse_unary(parser));
}

static double parse_unary(Parser* parser) {
  // every way to nest comes through here
  if (++parser->depth > MAX_DEPTH) fail_at(parser, parser->p, "nested too deep");
  double value = 0.0;
  skip_blanks(parser);
  if (parser->failed) {
    value = 0.0;
  } else if (take(parser, "-")) {
    value = -parse_unary(parser);
  } else if (take(parser, "+")) {
    value = parse_unary(parser);
  } else if ((strncmp(parser->p, "!=", 2) != 0 && take(parser, "!")) || take(parser, "not")) {
    value = parse_unary(parser) == 0.0;
  } else {
    value = parse_power(parser);
  }
  parser->depth--;
  return value;
}

static double parse_product(Parser* parser) {
  double value = parse_unary(parser);
  for (;;) {
    if (take(parser, "*")) {
      value *= parse_unary(parser);
    } else if (take(parser, "/")) {
      value /= parse_unary(parser);
    } else if (take(parser, "%")) {
      value = remainder_of(value, parse_unary(parser));
    } else {
      return value;
    }
  }
}

static double parse_sum(Parser* parser) {
  double value = parse_product(parser);
  for (;;) {
    if (take(parser, "+")) {
      value += parse_product(parser);
    } else if (take(parser, "-")) {
      value -= parse_product(parser);
    } else {
      return value;
    }
  }
}

static double parse_comparison(Parser* parser) {
  double value = parse_sum(parser);
  for (;;) {
    if (take(parser, "==")) {
      value = value == parse_sum(parser);
    } else if (take(parser, "!=")) {
      value = value != parse_sum(parser);
    } else if (take(parser, "<=")) {
      value = value <= parse_sum(parser);
    } else if (take(parser, ">=")) {
      value = value >= parse_sum(parser);
    } else if (take(parser, "<")) {
      value = value < parse_sum(parser);
    } else if (take(parser, ">")) {
      value = value > parse_sum(parser);
    } else {
      return value;
    }
  }
}

static double parse_and(Parser* parser) {
  double value = parse_comparison(parser);
  while (take(parser, "&&") || take(parser, "and")) {
    const bool settled = value == 0.0;
    parser->idle += settled;
    const double next = parse_comparison(parser);
    parser->idle -= settled;
    value = !settled && next != 0.0;
  }
  return value;
}

static double parse_or(Parser* parser) {
  double value = parse_and(parser);
  while (take(parser, "||") || take(parser, "or")) {
    const bool settled = value != 0.0;
    parser->idle += settled;
    const double next = parse_and(parser);
    parser->idle -= settled;
    value = settled || next != 0.0;
  }
  return value;
}

static double parse_choice(Parser* parser) {
  if (++parser->depth > MAX_DEPTH) fail_at(parser, parser->p, "nested too deep");
  double value = parser->failed ? 0.0 : parse_or(parser);
  if (take(parser, "?")) value = choose(parser, value != 0.0, ":");
  parser->depth--;
  return value;
}

static rutStatus evaluate(Parser parser, double* value, size_t* fault) {
  const double result = parse_choice(&parser);
  skip_blanks(&parser);
  if (!parser.failed && *parser.p) fail_at(&parser, parser.p, "unexpected '%.8s'", parser.p);
  if (!parser.failed && !rut_is_finite(result)) {
    fail_at(&parser, parser.text, "the result is not a finite number");
  }
  *fault = parser.fault;
  if (parser.failed) return RUT_ERR_PARSE;
  *value = result;
  return RUT_OK;
}

rutStatus rut_evaluate(rutScope* scope, const char* expression, double* value, size_t* fault,
                       char message[128]) {
  return evaluate((Parser){.text = expression, .p = expression, .scope = scope, .message = message},
                  value, fault);
}

rutStatus rut_expression(const char* expression, int n, const char* const* name,
                         const double* value, double* out, rutError* err) {
  const rutNumbers numbers = {n, name, value};
  size_t fault = 0;
  char message[128] = "";
  if (rut_evaluate_of(&numbers, expression, out, &fault, message) == RUT_OK) return RUT_OK;
  return rut_error_set(err, RUT_ERR_PARSE, "expression '%.200s': %s, at character %zu", expression,
                       message, fault + 1);
}

rutStatus rut_evaluate_of(const rutNumbers* numbers, const char* expression, double* value,
                          size_t* fault, char message[128]) {
  return evaluate(
      (Parser){.text = expression, .p = expression, .numbers = numbers, .message = message}, value,
      fault);
}
