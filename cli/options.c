// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "rut/host.h"
#include "text.h"

enum { MAX_OPTIONS = 64, HELP_COLUMN = 26 };

static const cliOption help_option = {
    "help", 'h', CLI_FLAG, "", 0, 0, 0, "show this help",
};

int cli_usage_error(const cliVerb* verb, const char* format, ...) {
  char message[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  fprintf(stderr, "rut: error: %s\nTry 'rut %s%s--help'.\n", CLI_CLEAN(message),
          verb ? verb->name : "", verb ? " " : "");
  return CLI_USAGE;
}

// --- Help -------------------------------------------------------------------------------------

static void print_option(const cliOption* option) {
  char left[64];
  int n = 0;
  if (option->letter) {
    n = snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name);
  } else {
    n = snprintf(left, sizeof left, "      --%s", option->name);
  }
  if (option->value[0]) {
    const char* format = option->type == CLI_FACTOR ? "[=%s]" : " %s";
    snprintf(left + n, sizeof left - (size_t)n, format, option->value);
  }
  if (strlen(left) + 2 > HELP_COLUMN) {
    printf("%s\n%*s%s\n", left, HELP_COLUMN, "", option->doc);
  } else {
    printf("%-*s%s\n", HELP_COLUMN, left, option->doc);
  }
}

static void print_help(const cliVerb* verb) {
  printf("rut %s: %s\n\nUsage: rut %s [OPTIONS]%s%s\n", verb->name, verb->summary, verb->name,
         verb->arguments[0] ? " " : "", verb->arguments);
  if (verb->details[0]) printf("\n%s\n", verb->details);
  printf("\nOptions:\n");
  for (int i = 0; i < verb->options; i++) print_option(&verb->option[i]);
  print_option(&help_option);
  printf("\nExamples:\n%s\n", verb->examples);
}

// --- Reading ----------------------------------------------------------------------------------

static const cliOption* find_long(const cliVerb* verb, const char* name, size_t length) {
  for (int i = 0; i < verb->options; i++) {
    const char* known = verb->option[i].name;
    if (strlen(known) == length && strncmp(known, name, length) == 0) return &verb->option[i];
  }
  if (length == strlen("help") && strncmp(name, "help", length) == 0) return &help_option;
  return NULL;
}

static const cliOption* find_letter(const cliVerb* verb, char letter) {
  for (int i = 0; i < verb->options; i++) {
    if (verb->option[i].letter == letter) return &verb->option[i];
  }
  return letter == 'h' ? &help_option : NULL;
}

static int unknown_option(const cliVerb* verb, const char* word) {
  const char* known[MAX_OPTIONS];
  int n = 0;
  for (int i = 0; i < verb->options && n < MAX_OPTIONS - 1; i++) known[n++] = verb->option[i].name;
  known[n++] = "help";
  char name[64];
  const char* start = word + strspn(word, "-");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
  const char* nearest = rut_nearest(name, (size_t)n, known);
  if (!nearest) return cli_usage_error(verb, "unknown option '%s'", word);
  return cli_usage_error(verb, "unknown option '%s'; did you mean '--%s'?", word, nearest);
}

static int bad_number(const cliVerb* verb, const cliOption* option, const char* text) {
  return cli_usage_error(verb, "option '--%s' takes a%s number from %g to %g, not '%s'",
                         option->name, option->type == CLI_INTEGER ? " whole" : "", option->min,
                         option->max, text);
}

// Store one value. Returns CLI_GO_ON or an exit code.
static int store(const cliVerb* verb, const cliOption* option, const char* text, void* values) {
  void* place = (char*)values + option->offset;
  char* end = NULL;
  errno = 0;
  switch (option->type) {
    case CLI_FLAG:
      *(bool*)place = true;
      break;
    case CLI_FACTOR:
    case CLI_NUMBER: {
      double value = strtod(text, &end);
      bool fits = end != text && !*end && value >= option->min && value <= option->max;
      if (!fits) return bad_number(verb, option, text);
      *(double*)place = value;
      break;
    }
    case CLI_INTEGER: {
      long long value = strtoll(text, &end, 10);
      bool fits = end != text && !*end && !errno && (double)value >= option->min &&
                  (double)value <= option->max;
      if (!fits) return bad_number(verb, option, text);
      *(int64_t*)place = value;
      break;
    }
    case CLI_TEXT:
      if (!text[0]) return cli_usage_error(verb, "option '--%s' is empty", option->name);
      *(const char**)place = text;
      break;
    case CLI_TEXTS: {
      cliList* list = place;
      if (list->n == CLI_LIST_SIZE) {
        return cli_usage_error(verb, "option '--%s' is given more than %d times", option->name,
                               CLI_LIST_SIZE);
      }
      list->item[list->n++] = text;
      break;
    }
  }
  return CLI_GO_ON;
}

// Words with a '-' that are no options: "-" for a stream, "-12.5,30" for a place.
static bool is_argument(const char* word) {
  return word[0] != '-' || !word[1] || strchr(".0123456789", word[1]);
}

// Read the option at argv[*at], and leave *at on its last word.
static int read_option(const cliVerb* verb, int argc, char** argv, int* at, void* values) {
  const char* word = argv[*at];
  bool is_long = word[1] == '-';
  const char* attached = NULL;  // value in the same word
  const cliOption* option = NULL;
  if (is_long) {
    size_t length = strcspn(word + 2, "=");
    option = find_long(verb, word + 2, length);
    if (word[2 + length] == '=') attached = word + 3 + length;
  } else {
    option = find_letter(verb, word[1]);
    if (word[2]) attached = word + 2;
  }
  if (!option) return unknown_option(verb, word);
  if (option == &help_option) {
    print_help(verb);
    return CLI_DONE;
  }
  if (option->type == CLI_FLAG && attached) {
    if (is_long) return cli_usage_error(verb, "option '--%s' takes no value", option->name);
    return unknown_option(verb, word);
  }
  if (option->type == CLI_FACTOR && !attached) attached = "1";
  if (option->type != CLI_FLAG && !attached) {
    if (*at + 1 >= argc) {
      return cli_usage_error(verb, "option '--%s' needs a value: --%s %s", option->name,
                             option->name, option->value);
    }
    attached = argv[++*at];
  }
  return store(verb, option, attached, values);
}

static int check_arguments(const cliVerb* verb, const cliList* arguments) {
  if (arguments->n < verb->min_arguments) {
    return cli_usage_error(verb, "%s is missing: rut %s %s", verb->arguments, verb->name,
                           verb->arguments);
  }
  if (arguments->n > verb->max_arguments) {
    return cli_usage_error(verb, "'%s' is one argument too many",
                           arguments->item[verb->max_arguments]);
  }
  return CLI_GO_ON;
}

int cli_parse(const cliVerb* verb, int argc, char** argv, void* values, cliList* arguments) {
  bool options_end = false;
  arguments->n = 0;
  for (int i = 0; i < argc; i++) {
    const char* word = argv[i];
    if (!options_end && strcmp(word, "--") == 0) {
      options_end = true;
    } else if (!options_end && !is_argument(word)) {
      int code = read_option(verb, argc, argv, &i, values);
      if (code != CLI_GO_ON) return code;
    } else if (arguments->n < CLI_LIST_SIZE) {
      arguments->item[arguments->n++] = word;
    } else {
      return cli_usage_error(verb, "more than %d arguments", CLI_LIST_SIZE);
    }
  }
  return check_arguments(verb, arguments);
}
