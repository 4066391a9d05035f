// SPDX-License-Identifier: BSD-3-Clause
//
// Command lines. One table of options per verb drives reading, --help and completion.c; the man
// page is checked against it by a test.
#ifndef RUT_CLI_OPTIONS_H
#define RUT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_LIST_SIZE = 1024 };

// Texts that were given one by one, borrowed from the command line.
typedef struct cliList {
  const char* item[CLI_LIST_SIZE];
  int n;
} cliList;

typedef enum cliType {
  CLI_FLAG,     // bool
  CLI_NUMBER,   // double
  CLI_FACTOR,   // double, 1 if no value is given; a value needs a '='
  CLI_INTEGER,  // int64_t
  CLI_TEXT,     // const char*
  CLI_TEXTS     // cliList; the option may be repeated
} cliType;

typedef struct cliOption {
  const char* name;  // without the dashes
  char letter;       // short form, or 0
  cliType type;
  const char* value;  // what --help calls the value, "" for flags
  double min, max;    // range of numbers
  size_t offset;      // of the variable in the verb's own struct
  const char* doc;
} cliOption;

typedef struct cliVerb {
  const char* name;
  const char* arguments;  // "WORLD", as --help shows them
  int min_arguments, max_arguments;
  const char* summary;   // one line
  const char* details;   // some lines for --help, or ""
  const char* examples;  // lines for --help
  const cliOption* option;
  int options;
  // Run with the words after the verb. Returns the exit code.
  int (*run)(int argc, char** argv);
} cliVerb;

// cli_parse's answer when the verb shall go on.
enum { CLI_GO_ON = -1 };

// Read the words after a verb. values is the verb's own struct, already filled with defaults;
// arguments gets the words that are no options. Returns CLI_GO_ON, or the exit code after --help
// was printed or an error was told.
int cli_parse(const cliVerb* verb, int argc, char** argv, void* values, cliList* arguments);

// Tell what is wrong with the command line. Returns CLI_USAGE. Nullable: verb.
int cli_usage_error(const cliVerb* verb, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

#define CLI_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif  // RUT_CLI_OPTIONS_H
