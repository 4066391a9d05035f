// SPDX-License-Identifier: BSD-3-Clause
//
// Results of a study on the terminal.
#ifndef RUT_CLI_STUDY_SUMMARY_H
#define RUT_CLI_STUDY_SUMMARY_H

#include <stdio.h>

#include "json.h"
#include "rut/study.h"

// Percentiles of all measures, and the share of runs that pass.
void cli_study_print(const rutStudyTable* table, FILE* out);
// The same as members of the present object.
void cli_study_json(const rutStudyTable* table, cliJson* json);

#endif  // RUT_CLI_STUDY_SUMMARY_H
