// SPDX-License-Identifier: BSD-3-Clause
#include "format/expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "format/expression.h"

enum {
  MAX_VARIABLES = 10000,  // of one scope
  MAX_LENGTH = 1 << 20,   // of an expanded text
  MAX_PASSES = 10,
  MAX_DEPTH = 32,      // nested braces, and values that name other variables
  MAX_KNOWN = 256,     // names looked through for a suggestion
  MAX_WORK = 1 << 29,  // bytes expanded by all calls of one load
  FORM_WORK = 32       // what one look-up counts for, in bytes
};

// ---------------------------------------------------------------------------------------------
// Variables

typedef struct Variable {
  char *name, *value;
} Variable;

struct rutScope {
  rutScope* parent;
  Variable* variable;  // sorted by name
  int n, capacity;
  // of the root scope only
  struct rutExpressionRandom random;
  size_t work;
};

rutScope* rut_scope_create(rutScope* parent, uint64_t seed) {
  rutScope* scope = calloc(1, sizeof *scope);
  if (!scope) return NULL;
  scope->parent = parent;
  scope->random.seed = seed;
  return scope;
}

void rut_scope_destroy(rutScope* scope) {
  if (!scope) return;
  for (int i = 0; i < scope->n; ++i) {
    free(scope->variable[i].name);
    free(scope->variable[i].value);
  }
  free(scope->variable);
  free(scope);
}

static rutScope* root_of(rutScope* scope) {
  while (scope->parent) scope = scope->parent;
  return scope;
}

struct rutExpressionRandom* rut_scope_random(rutScope* scope) {
  return &root_of(scope)->random;
}

// Index of a name, or of the place where it belongs.
static int locate(const rutScope* scope, const char* name, bool* found) {
  int low = 0, high = scope->n;
  *found = false;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order = strcmp(scope->variable[middle].name, name);
    if (order == 0) {
      *found = true;
      return middle;
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static char* copy_text(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

// Room for one more variable at index i.
static rutStatus open_slot(rutScope* scope, int i) {
  if (scope->n == MAX_VARIABLES) return RUT_ERR_CAPACITY;
  if (scope->n == scope->capacity) {
    const int capacity = scope->capacity ? 2 * scope->capacity : 8;
    Variable* grown = realloc(scope->variable, (size_t)capacity * sizeof *grown);
    if (!grown) return RUT_ERR_MEMORY;
    scope->variable = grown;
    scope->capacity = capacity;
  }
  memmove(scope->variable + i + 1, scope->variable + i,
          (size_t)(scope->n - i) * sizeof scope->variable[0]);
  scope->n++;
  return RUT_OK;
}

rutStatus rut_scope_set(rutScope* scope, const char* name, const char* value) {
  bool found;
  const int i = locate(scope, name, &found);
  char* value_copy = copy_text(value);
  char* name_copy = found ? NULL : copy_text(name);
  rutStatus status = value_copy && (found || name_copy) ? RUT_OK : RUT_ERR_MEMORY;
  if (status == RUT_OK && !found) status = open_slot(scope, i);
  if (status != RUT_OK) {
    free(name_copy);
    free(value_copy);
    return status;
  }
  if (found) {
    free(scope->variable[i].value);
  } else {
    scope->variable[i].name = name_copy;
  }
  scope->variable[i].value = value_copy;
  return RUT_OK;
}

const char* rut_scope_get(const rutScope* scope, const char* name) {
  for (; scope; scope = scope->parent) {
    bool found;
    const int i = locate(scope, name, &found);
    if (found) return scope->variable[i].value;
  }
  return NULL;
}

static const char* suggest_variable(const rutScope* scope, const char* name) {
  const char* known[MAX_KNOWN];
  size_t n = 0;
  for (; scope; scope = scope->parent) {
    for (int i = 0; i < scope->n && n < MAX_KNOWN; ++i) known[n++] = scope->variable[i].name;
  }
  return rut_suggest(name, known, n);
}

// ---------------------------------------------------------------------------------------------
// Expansion

typedef struct Text {
  char* data;
  size_t size, capacity;
} Text;

typedef struct Expander {
  rutScope* scope;
  rutReporter* reporter;
  rutPlace place;
  const char* element;
  size_t* work;
} Expander;

typedef enum Form { VARIABLE, ENVIRONMENT, FORMULA, COMMAND, LITERAL } Form;

// A text from a '$' on, and what begins there.
typedef struct Found {
  Form form;
  const char* text;
  size_t n;     // bytes up to the end of the text
  size_t open;  // bytes up to and with the opening bracket
} Found;

#define FAIL(expander, hint, ...)                                                               \
  rut_report_error((expander)->reporter, RUT_ERR_PARSE, (expander)->place, (expander)->element, \
                   hint, __VA_ARGS__)

static rutStatus out_of_memory(Expander* expander) {
  return rut_report_error(expander->reporter, RUT_ERR_MEMORY, expander->place, expander->element,
                          "", "out of memory");
}

// Count bytes handled, so that a small file cannot ask for endless work.
static rutStatus charge(Expander* expander, size_t bytes) {
  if (*expander->work > MAX_WORK - bytes) {
    return FAIL(expander, "", "the variables of this file expand to too much text");
  }
  *expander->work += bytes;
  return RUT_OK;
}

static rutStatus append(Expander* expander, Text* text, const char* data, size_t size) {
  if (size > MAX_LENGTH || text->size + size > MAX_LENGTH) {
    return FAIL(expander, "", "expanded text is longer than %d bytes", MAX_LENGTH);
  }
  if (text->size + size + 1 > text->capacity) {
    const size_t capacity = 2 * text->capacity + size + 64;
    char* grown = realloc(text->data, capacity);
    if (!grown) return out_of_memory(expander);
    text->data = grown;
    text->capacity = capacity;
  }
  if (size) memcpy(text->data + text->size, data, size);
  text->size += size;
  text->data[text->size] = '\0';
  return RUT_OK;
}

static bool starts(const char* text, size_t n, const char* word) {
  const size_t length = strlen(word);
  return n >= length && memcmp(text, word, length) == 0;
}

// What a '$' begins.
static Found form_at(const char* text, size_t n) {
  static const struct {
    const char* word;
    Form form;
  } forms[] = {{"${", VARIABLE}, {"$env{", ENVIRONMENT}, {"$f{", FORMULA}, {"$(", COMMAND}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
    if (starts(text, n, forms[i].word)) {
      return (Found){forms[i].form, text, n, strlen(forms[i].word)};
    }
  }
  return (Found){LITERAL, text, n, 0};
}

static bool has_form(const char* text, size_t n) {
  for (const char* p = text; (p = memchr(p, '$', n - (size_t)(p - text))); ++p) {
    if (form_at(p, n - (size_t)(p - text)).form != LITERAL) return true;
  }
  return false;
}

// Offset of the brace that closes one opened before text, or of the first `bar` outside of inner
// braces if bar is not 0; n if there is none.
static size_t find_close(const char* text, size_t n, char bar) {
  size_t depth = 0;
  for (size_t i = 0; i < n; ++i) {
    if (text[i] == '{') {
      depth++;
    } else if (depth == 0 && (text[i] == '}' || (bar && text[i] == bar))) {
      return i;
    } else if (text[i] == '}') {
      depth--;
    }
  }
  return n;
}

static rutStatus expand_text(Expander* expander, const char* text, size_t n, int depth, Text* out);

// Expand a name into a text of its own, without blanks around it. The caller frees name->data.
static rutStatus expand_name(Expander* expander, const char* text, size_t n, int depth,
                             Text* name) {
  rutStatus status = expand_text(expander, text, n, depth, name);
  if (status == RUT_OK) status = append(expander, name, "", 0);
  if (status != RUT_OK) return status;
  const size_t lead = strspn(name->data, " \t\r\n");
  size_t end = name->size;
  while (end > lead && strchr(" \t\r\n", name->data[end - 1])) --end;
  memmove(name->data, name->data + lead, end - lead);
  name->data[end - lead] = '\0';
  return RUT_OK;
}

// Value in the environment, of the variables that worlds may see; *hidden tells that there is one
// that they may not.
static const char* environment(const Expander* expander, const char* name, bool* hidden) {
  const char* value = name[0] ? getenv(name) : NULL;
  *hidden = value && !rut_access_allows_variable(expander->reporter->access, name);
  return *hidden ? NULL : value;
}

static void warn_of_hidden(Expander* expander, const char* name) {
  rut_report_warning(expander->reporter, expander->place, expander->element,
                     "the environment has a variable %.100s, which worlds may not see; "
                     "--allow-env %.100s shows it to them",
                     name, name);
}

static rutStatus expand_variable(Expander* expander, const char* text, size_t n, int depth,
                                 Text* out) {
  const size_t bar = find_close(text, n, '|');
  Text name = {0};
  rutStatus status = expand_name(expander, text, bar, depth, &name);
  if (status == RUT_OK) {
    const char* value = rut_scope_get(expander->scope, name.data);
    bool hidden = false;
    const char* outside = value ? NULL : environment(expander, name.data, &hidden);
    if (hidden) warn_of_hidden(expander, name.data);
    if (value) {
      status = expand_text(expander, value, strlen(value), depth, out);
    } else if (outside) {
      status = append(expander, out, outside, strlen(outside));
    } else if (bar < n) {
      status = expand_text(expander, text + bar + 1, n - bar - 1, depth, out);
    } else {
      const char* nearest = suggest_variable(expander->scope, name.data);
      char hint[128] = "";
      if (nearest) snprintf(hint, sizeof hint, "did you mean ${%.100s}?", nearest);
      status = FAIL(expander, hint, "unknown variable ${%.100s}", name.data);
    }
  }
  free(name.data);
  return status;
}

static rutStatus expand_environment(Expander* expander, const char* text, size_t n, int depth,
                                    Text* out) {
  const size_t bar = find_close(text, n, '|');
  Text name = {0};
  rutStatus status = expand_name(expander, text, bar, depth, &name);
  if (status == RUT_OK) {
    bool hidden;
    const char* value = environment(expander, name.data, &hidden);
    char hint[160] = "";
    if (hidden) snprintf(hint, sizeof hint, "--allow-env %.100s shows it to them", name.data);
    if (value) {
      status = append(expander, out, value, strlen(value));
    } else if (bar < n) {
      if (hidden) warn_of_hidden(expander, name.data);
      status = expand_text(expander, text + bar + 1, n - bar - 1, depth, out);
    } else {
      status = FAIL(expander, hint, "environment variable '%.100s' is %s", name.data,
                    hidden ? "not one that worlds may see" : "not set");
    }
  }
  free(name.data);
  return status;
}

static rutStatus expand_formula(Expander* expander, const char* text, size_t n, int depth,
                                Text* out) {
  Text formula = {0};
  rutStatus status = expand_name(expander, text, n, depth, &formula);
  if (status == RUT_OK) {
    double value = 0.0;
    size_t fault = 0;
    char message[128], number[32];
    status = rut_evaluate(expander->scope, formula.data, &value, &fault, message);
    if (status == RUT_OK) {
      rut_format_number(value, number);
      status = append(expander, out, number, strlen(number));
    } else {
      FAIL(expander, "", "%s, at character %zu of $f{%.100s}", message, fault + 1, formula.data);
    }
  }
  free(formula.data);
  return status;
}

// Expand a form; *used gets its length.
static rutStatus expand_form(Expander* expander, const Found* found, int depth, Text* out,
                             size_t* used) {
  const char* text = found->text;
  if (found->form == COMMAND) {
    return FAIL(expander, "write the value itself, or use $env{} or $f{}",
                "'%.40s': rut runs no programs from world files", text);
  }
  if (depth >= MAX_DEPTH) {
    return FAIL(expander, "", "'%.40s' is nested too deep, or a variable refers to itself", text);
  }
  const char* inside = text + found->open;
  const size_t left = found->n - found->open, length = find_close(inside, left, 0);
  if (length == left) return FAIL(expander, "", "'}' is missing after '%.40s'", text);
  *used = found->open + length + 1;
  const rutStatus status = charge(expander, *used + FORM_WORK);
  if (status != RUT_OK) return status;
  switch (found->form) {
    case VARIABLE:
      return expand_variable(expander, inside, length, depth + 1, out);
    case ENVIRONMENT:
      return expand_environment(expander, inside, length, depth + 1, out);
    default:
      return expand_formula(expander, inside, length, depth + 1, out);
  }
}

static rutStatus expand_text(Expander* expander, const char* text, size_t n, int depth, Text* out) {
  rutStatus status = charge(expander, n);
  while (n && status == RUT_OK) {
    const char* dollar = memchr(text, '$', n);
    size_t plain = dollar ? (size_t)(dollar - text) : n, used = 0;
    const Found found = dollar ? form_at(dollar, n - plain) : (Found){.form = LITERAL};
    if (dollar && found.form == LITERAL) plain++;
    status = append(expander, out, text, plain);
    if (status == RUT_OK && found.form != LITERAL) {
      status = expand_form(expander, &found, depth, out, &used);
    }
    text += plain + used;
    n -= plain + used;
  }
  return status;
}

rutStatus rut_expand(rutScope* scope, const char* text, rutReporter* reporter, rutPlace place,
                     const char* element, char** out) {
  *out = NULL;
  Expander expander = {scope, reporter, place, element, &root_of(scope)->work};
  Text from = {0};
  rutStatus status = append(&expander, &from, text, strlen(text));
  // what came from the environment, or was joined from parts, may be expanded again
  for (int pass = 0; status == RUT_OK && has_form(from.data, from.size); ++pass) {
    Text to = {0};
    status = pass < MAX_PASSES
                 ? append(&expander, &to, "", 0)
                 : FAIL(&expander, "", "'%.60s' does not settle after %d rounds of expansion", text,
                        MAX_PASSES);
    if (status == RUT_OK) status = expand_text(&expander, from.data, from.size, 0, &to);
    free(from.data);
    from = to;
  }
  if (status != RUT_OK) {
    free(from.data);
    return status;
  }
  *out = from.data;
  return RUT_OK;
}
