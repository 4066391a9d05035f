// SPDX-License-Identifier: BSD-3-Clause
//
// The figure of a study that shows means of its measures over one input.
#ifndef RUT_CLI_STUDY_MEANS_H
#define RUT_CLI_STUDY_MEANS_H

#include <stdio.h>

// Write the script of a figure, a cliStudyFigure.
void cli_study_means_put(FILE* out, const void* figure);

#endif  // RUT_CLI_STUDY_MEANS_H
