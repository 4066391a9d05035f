// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a study of a small world: its runs are counted, and some are sampled.
#define _XOPEN_SOURCE 700  // for mkdtemp
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rut/study.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { SAMPLED = 3, MOST_INPUTS = 256 };

static const char world[] =
    "<world timestep='10 ms' duration='0.1'><terrain type='plane' name='g'/><mechanism "
    "name='m'><body "
    "name='b' mass='1' inertia='1 1 1 0 0 0'/></mechanism></world>";

// A study beside the world, in a folder that stays for the whole run.
static const char* place(void) {
  static char path[96];
  if (path[0]) return path;
  char folder[] = "/tmp/rut_fuzz_study_XXXXXX", file[64];
  if (!mkdtemp(folder)) abort();
  snprintf(file, sizeof file, "%s/w.xml", folder);
  FILE* out = fopen(file, "w");
  if (!out || fwrite(world, sizeof world - 1, 1, out) != 1 || fclose(out) != 0) abort();
  snprintf(path, sizeof path, "%s/s.xml", folder);
  return path;
}

static void sample(const rutStudy* study) {
  const rutStudyInfo info = rut_study_info(study);
  rutStudyValue value[MOST_INPUTS];
  if (info.inputs > MOST_INPUTS || info.runs < 1) abort();
  for (int i = 0; i < SAMPLED; i++) {
    const int64_t run = i == 0 ? 0 : i == 1 ? info.runs - 1 : info.runs / 2;
    if (rut_study_values(study, run, value, NULL) != RUT_OK) abort();
    for (int k = 0; k < info.inputs; k++) {
      const rutStudyInput in = rut_study_input(study, k);
      // numbers are finite or have a text instead
      if (in.number == (value[k].text != NULL)) abort();
    }
    char* command = rut_study_command(study, run, 1, true);
    if (!command) abort();
    free(command);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutContext* context = NULL;
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  // most bytes are no study at all: the same inside of one as well
  static const char before[] = "<study world='w.xml' design='sobol' samples='4'>",
                    after[] = "</study>";
  char* text = malloc(size + sizeof before + sizeof after);
  for (int wrapped = 0; text && wrapped < 2; wrapped++) {
    size_t length = 0;
    if (wrapped) memcpy(text, before, length = sizeof before - 1);
    if (size) memcpy(text + length, data, size);
    length += size;
    if (wrapped) memcpy(text + length, after, sizeof after - 1);
    if (wrapped) length += sizeof after - 1;
    const rutText file = {text, length, place()};
    rutStudy* study = NULL;
    rutError err;
    memset(&err, 0, sizeof err);
    const rutStatus status = rut_study_parse(context, &file, NULL, &study, &err);
    if ((status == RUT_OK) != (study != NULL) || status != err.status) abort();
    if (study) sample(study);
    rut_study_destroy(study);
  }
  free(text);
  return 0;
}
