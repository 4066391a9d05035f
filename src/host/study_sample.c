// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/rng.h"
#include "base/units.h"
#include "host/study_design.h"
#include "math/normal.h"
#include "math/rut_math.h"

enum { STREAM_RUN = 0x73770010 };

// Where a run stands among all of them.
typedef struct Place {
  int replica;
  int64_t point, combination;
} Place;

static Place place_of(const rutStudy* study, int64_t run) {
  const int64_t cell = run / study->replicas;
  return (Place){(int)(run % study->replicas), cell % study->points, cell / study->points};
}

uint64_t rut_study_seed(const rutStudy* study, int64_t run) {
  const Place at = place_of(study, run);
  const uint64_t index = (uint64_t)(study->common_seeds ? at.replica : run);
  const uint32_t key[2] = {(uint32_t)study->seed, (uint32_t)(study->seed >> 32)};
  const uint32_t counter[4] = {0, STREAM_RUN, (uint32_t)index, (uint32_t)(index >> 32)};
  uint32_t out[4];
  rut_philox(counter, key, out);
  return ((uint64_t)out[0] << 32 | out[1]) >> 12;
}

// ---- values ----

// Level of each factor in a combination: the first input varies slowest.
static void factor_levels(const rutStudy* study, int64_t combination, int* level) {
  for (int i = study->factors - 1; i >= 0; i--) {
    level[i] = (int)(combination % study->factor_levels[i]);
    combination /= study->factor_levels[i];
  }
}

// Inverse of the cumulative distribution, of the part between the bounds.
static double quantile(const rutVary* v, double u) {
  const double p = v->low + u * (v->high - v->low);
  double value = RUT_NAN;
  if (v->type == RUT_VARY_UNIFORM) value = v->a + p * (v->b - v->a);
  if (v->type == RUT_VARY_NORMAL) value = v->a + v->b * rut_normal_quantile(p);
  if (v->type == RUT_VARY_LOGNORMAL) value = v->a * rut_exp(v->b * rut_normal_quantile(p));
  if (v->type == RUT_VARY_TRIANGULAR) {
    const double span = v->c - v->a, rise = v->b - v->a, fall = v->c - v->b;
    value =
        p * span < rise ? v->a + rut_sqrt(p * span * rise) : v->c - rut_sqrt((1 - p) * span * fall);
  }
  return rut_clamp(value, v->least, v->most);
}

typedef struct Sample {
  int level[RUT_STUDY_MAX_INPUTS];  // of each factor
  double u[RUT_STUDY_MAX_INPUTS];   // of each dimension
} Sample;

static void take(const rutStudy* study, int64_t run, Sample* out) {
  const Place at = place_of(study, run);
  factor_levels(study, at.combination, out->level);
  rut_design_point(study, at.point, out->u);
}

// Level of an input without a distribution.
static int level_of(const rutVary* v, const Sample* sample) {
  if (v->crossed) return sample->level[v->place];
  const int level = (int)(sample->u[v->place] * v->levels.n);
  return level < v->levels.n ? level : v->levels.n - 1;
}

static rutStudyValue value_of(const rutVary* v, const Sample* sample) {
  if (v->levels.n == 0) return (rutStudyValue){quantile(v, sample->u[v->place]), NULL};
  const int level = level_of(v, sample);
  return (rutStudyValue){v->levels.number[level], v->levels.text[level]};
}

rutStatus rut_study_values(const rutStudy* study, int64_t run, rutStudyValue* value,
                           rutError* err) {
  if (run < 0 || run >= study->runs) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no run %lld of %lld", (long long)run,
                         (long long)study->runs);
  }
  Sample sample;
  take(study, run, &sample);
  for (int i = 0; i < study->inputs; i++) value[i] = value_of(&study->vary[i], &sample);
  return RUT_OK;
}

// ---- settings ----

static void put(rutBytes* out, const char* text) { rut_bytes_put(out, text, strlen(text)); }

static void put_zero(rutBytes* out) { rut_bytes_u8(out, 0); }

// Number or text of a value, without a unit.
static void put_bare(rutStudyValue value, rutBytes* out) {
  char number[RUT_NUMBER_SIZE];
  if (!value.text) rut_format_number(value.number, number);
  put(out, value.text ? value.text : number);
}

// A setting with the value in place of each {}.
static void put_filled(const char* setting, rutStudyValue value, rutBytes* out) {
  for (const char* hole; (hole = strstr(setting, "{}")) != NULL; setting = hole + 2) {
    rut_bytes_put(out, setting, (size_t)(hole - setting));
    put_bare(value, out);
  }
  put(out, setting);
  put_zero(out);
}

// "path=value unit" for each path of the input, and its own settings.
void rut_study_put_value(const rutVary* v, rutStudyValue value, rutBytes* out) {
  for (const char* path = v->path + strspn(v->path, " \t\r\n"); *path;) {
    const size_t length = strcspn(path, " \t\r\n");
    rut_bytes_put(out, path, length);
    put(out, "=");
    put_bare(value, out);
    if (v->unit[0] && !value.text) {
      put(out, " ");
      put(out, v->unit);
    }
    put_zero(out);
    path += length;
    path += strspn(path, " \t\r\n");
  }
  for (int i = 0; i < v->own.n; i++) put_filled(v->own.text[i], value, out);
}

rutStatus rut_study_set(rutSpec* spec, const char* setting, rutError* err) {
  const char* equals = strchr(setting, '=');
  char path[1024];
  if (!equals || (size_t)(equals - setting) >= sizeof path) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.200s' is no setting", setting);
  }
  snprintf(path, sizeof path, "%.*s", (int)(equals - setting), setting);
  rutError fault = {0};
  const rutStatus status = rut_spec_set(spec, path, equals + 1, &fault);
  if (status == RUT_OK) return RUT_OK;
  return rut_error_set(err, status, "%.120s: %.360s", setting, fault.message);
}

static void put_settings(const rutSettings* settings, rutBytes* out) {
  for (int i = 0; i < settings->n; i++) {
    put(out, settings->text[i]);
    put_zero(out);
  }
}

void rut_study_settings(const rutStudy* study, int64_t run, rutBytes* out) {
  Sample sample;
  take(study, run, &sample);
  put_settings(&study->fixed, out);
  for (int i = 0; i < study->inputs; i++) {
    const rutVary* v = &study->vary[i];
    if (v->levels.setting) {
      put_settings(&v->levels.setting[level_of(v, &sample)], out);
    } else {
      rut_study_put_value(v, value_of(v, &sample), out);
    }
  }
}

// ---- the command ----

// A word of a shell.
static void put_word(rutBytes* out, const char* word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  put(out, " ");
  if (word[0] && word[strspn(word, plain)] == '\0') {
    put(out, word);
    return;
  }
  put(out, "'");
  for (; *word; word++) {
    if (*word == '\'') put(out, "'\\''");
    if (*word != '\'') rut_bytes_u8(out, (uint8_t)*word);
  }
  put(out, "'");
}

static void put_number(rutBytes* out, const char* option, double value) {
  char number[RUT_NUMBER_SIZE];
  rut_format_number(value, number);
  put(out, option);
  put(out, number);
}

// A path, or what is left of it in the folder of the study file, as the file names it.
static const char* path_of(const rutStudy* study, const char* path, bool from_its_folder) {
  const size_t folder = study->folder;
  return from_its_folder && strncmp(path, study->path, folder) == 0 ? path + folder : path;
}

char* rut_study_command(const rutStudy* study, int64_t run, double time, bool from_its_folder) {
  rutBytes out = {0}, settings = {0};
  if (run < 0 || run >= study->runs) return NULL;
  rut_study_settings(study, run, &settings);
  put(&out, "rut run");
  put_word(&out, path_of(study, study->world, from_its_folder));
  for (size_t at = 0; at < settings.used; at += strlen((char*)settings.data + at) + 1) {
    put(&out, " --set");
    put_word(&out, (char*)settings.data + at);
  }
  if (study->inputs_path[0]) {
    put(&out, " --inputs");
    put_word(&out, path_of(study, study->inputs_path, from_its_folder));
    if (study->interpolate) put(&out, " --interpolate");
  }
  if (!isnan(time)) {
    put_number(&out, " --duration ", time);
  } else if (!isnan(study->duration)) {
    put_number(&out, " --duration ", study->duration);
  }
  char seed[48];
  snprintf(seed, sizeof seed, " --seed %llu", (unsigned long long)rut_study_seed(study, run));
  put(&out, seed);
  put_zero(&out);
  const bool failed = out.failed || settings.failed;
  rut_bytes_free(&settings);
  if (failed) rut_bytes_free(&out);
  return (char*)out.data;
}
