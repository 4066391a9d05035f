// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of a study's results as figures show them.
#ifndef RUT_CLI_STUDY_COLUMNS_H
#define RUT_CLI_STUDY_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "rut/study.h"

enum { CLI_COLUMN_LEVELS = 16, CLI_COLUMNS = 64 };

typedef struct cliColumn {
  char label[96];      // with its unit
  int input, measure;  // of the table, -1 for none
  double scale;        // from the table's numbers to those that are shown: degrees
  double* value;       // [rows], NaN where there is none; of texts the place of the level. Owned
  int levels;          // of texts, else 0
  const char* level[CLI_COLUMN_LEVELS];  // borrowed from the table, in alphabetical order
} cliColumn;

// Read an input or a measure. False if it is out of memory, or has too many texts.
bool cli_column_of_input(const rutStudyTable* table, int input, cliColumn* out);
bool cli_column_of_measure(const rutStudyTable* table, int measure, cliColumn* out);
void cli_column_free(cliColumn* column);

typedef struct cliColumnRange {
  double low, high;
} cliColumnRange;
// Range of the values with some air around it.
cliColumnRange cli_column_range(const cliColumn* column, size_t rows);
// Values in ascending order without those that are missing; *n gets their number. The caller frees
// them; NULL if out of memory.
double* cli_column_sorted(const cliColumn* column, size_t rows, size_t* n);

#endif  // RUT_CLI_STUDY_COLUMNS_H
