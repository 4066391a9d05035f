// SPDX-License-Identifier: BSD-3-Clause
//
// How results of a study are kept in memory.
#ifndef RUT_HOST_STUDY_TABLE_H
#define RUT_HOST_STUDY_TABLE_H

#include "host/study.h"
#include "host/study_store.h"

enum { RUT_TABLE_TEXTS = 7 };

struct rutStudyTable {
  char* path;
  char* text[RUT_TABLE_TEXTS];  // of table study: name, description, design, world, version, study,
                                // model_hash
  rutStudyTableInfo info;
  rutStudyInput input[RUT_STUDY_MAX_INPUTS];
  char* input_text[4 * RUT_STUDY_MAX_INPUTS];
  rutStudyMeasure measure[RUT_STUDY_MAX_MEASURES];
  char* measure_text[3 * RUT_STUDY_MAX_MEASURES];
  rutStudyRow* row;      // [rows]
  rutStudyValue* value;  // [rows][inputs + 1]
  double* result;        // [rows][measures + 1]
};

#endif  // RUT_HOST_STUDY_TABLE_H
