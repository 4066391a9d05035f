// SPDX-License-Identifier: BSD-3-Clause
//
// The figures of a study: a function each that writes its script for gnuplot.
#ifndef RUT_CLI_STUDY_FIGURE_H
#define RUT_CLI_STUDY_FIGURE_H

#include <stdio.h>

#include "study_columns.h"

// What a figure shows.
typedef struct cliStudyFigure {
  const rutStudyTable* table;
  const char* title;
  size_t rows;
  cliColumn column[CLI_COLUMNS];  // inputs, then measures
  int inputs, measures;           // of these
  double width, height;           // of the page [pixels]
} cliStudyFigure;

typedef struct cliStudyFigureType {
  const char *name, *doc;
  bool wants_measures, wants_inputs, wants_pass;
  int most;  // columns that it can show
  // Size of the page, and the script.
  void (*size)(cliStudyFigure* figure);
  void (*put)(FILE* out, const void* figure);
} cliStudyFigureType;

// All of them; *n gets their number.
const cliStudyFigureType* cli_study_figures(int* n);

#endif  // RUT_CLI_STUDY_FIGURE_H
