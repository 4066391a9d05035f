// SPDX-License-Identifier: BSD-3-Clause
//
// Reads a study and checks it against its world.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/study_design.h"
#include "host/study_inputs.h"
#include "host/study_measures.h"
#include "host/study_sample.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"
#include "math/sobol.h"
#include "rut/descriptor.h"

static const char* const designs[] = {"grid",     "monte_carlo", "latin_hypercube", "sobol",
                                      "saltelli", "morris",      "one_at_a_time"};

static const double MOST_RUNS = 1e9;

// ---- the study element ----

static rutStatus open_plain(uint64_t seed, rutContext** out, void* user, rutError* err) {
  (void)user;
  rutContextDef def = rut_default_context();
  def.seed = seed;
  return rut_context_create(&def, out, err);
}

static rutStatus read_root(rutStudy* study, rutError* err) {
  const rutSpec* spec = study->spec;
  const rutNode root = rut_spec_root(spec);
  study->description = rut_node_text(spec, root, "description");
  study->world = rut_node_text(spec, root, "world");
  study->design = (rutDesign)rut_node_number(spec, root, "design");
  study->samples = (int64_t)rut_node_number(spec, root, "samples");
  study->morris_levels = (int)rut_node_number(spec, root, "levels");
  study->seed = (uint64_t)rut_node_number(spec, root, "seed");
  study->common_seeds = rut_node_number(spec, root, "seeds") != 0;
  study->replicas = (int)rut_node_number(spec, root, "replicas");
  study->duration = rut_node_number(spec, root, "duration");
  study->rate = rut_node_number(spec, root, "rate");
  study->inputs_path = rut_node_text(spec, root, "inputs");
  study->interpolate = rut_node_number(spec, root, "interpolate") != 0;
  const char* name = rut_node_name(spec, root);
  const char* base = study->path + study->folder;
  char stem[128];
  snprintf(stem, sizeof stem, "%.*s", (int)strcspn(base, "."), base);
  study->name = rut_study_copy(name[0] ? name : stem);
  if (!study->name) return rut_study_no_memory(err);
  if (!study->world[0]) {
    return rut_study_wrong(study, root, NULL, err,
                           "<study> needs world=\"...\", the file that it simulates");
  }
  if (study->design == RUT_DESIGN_MORRIS && study->morris_levels % 2 != 0) {
    return rut_study_wrong(study, root, "levels", err,
                           "levels of morris are an even number, not %d", study->morris_levels);
  }
  if (study->interpolate && !study->inputs_path[0]) {
    return rut_study_wrong(study, root, "interpolate", err, "interpolate needs inputs=\"...\"");
  }
  return RUT_OK;
}

// ---- how many runs ----

static const char* first_sampled(const rutStudy* study) {
  for (int i = 0; i < study->inputs; i++) {
    if (!study->vary[i].crossed) return study->vary[i].name;
  }
  return "";
}

static rutStatus count_runs(rutStudy* study, rutError* err) {
  const rutNode root = rut_spec_root(study->spec);
  const char* design = designs[study->design];
  if (study->design == RUT_DESIGN_GRID && study->dimensions > 0) {
    return rut_study_wrong(study, root, "design", err,
                           "'%.60s' is sampled, which needs design=\"monte_carlo\", "
                           "\"latin_hypercube\", \"sobol\", \"saltelli\", \"morris\" or "
                           "\"one_at_a_time\"",
                           first_sampled(study));
  }
  if (study->design != RUT_DESIGN_GRID && study->dimensions == 0) {
    return rut_study_wrong(study, root, "design", err,
                           "design '%s' has nothing to sample: no input has a distribution or "
                           "crossed=\"false\"",
                           design);
  }
  const int needed = study->design == RUT_DESIGN_SALTELLI ? 2 * study->dimensions
                     : study->design == RUT_DESIGN_SOBOL  ? study->dimensions
                                                          : 0;
  if (needed > RUT_SOBOL_DIMENSIONS) {
    return rut_study_wrong(study, root, "design", err,
                           "design '%s' of %d inputs needs %d dimensions of the Sobol sequence, "
                           "which has %d here",
                           design, study->dimensions, needed, RUT_SOBOL_DIMENSIONS);
  }
  double combinations = 1;
  for (int i = 0; i < study->factors; i++) combinations *= study->factor_levels[i];
  study->points = rut_design_points(study);
  const double runs = combinations * (double)study->points * study->replicas;
  if (!(runs <= MOST_RUNS)) {
    return rut_study_wrong(study, root, NULL, err, "this study has %.3g runs, more than %.0e", runs,
                           MOST_RUNS);
  }
  study->combinations = (int64_t)combinations;
  study->runs = study->combinations * study->points * study->replicas;
  return RUT_OK;
}

// ---- the world ----

// A file that a field of the study names.
static rutStatus read_file(rutStudy* study, const char* field, char** text, size_t* size,
                           rutError* err) {
  const rutNode root = rut_spec_root(study->spec);
  void* bytes = NULL;
  rutError fault = {0};
  const rutStatus status = rut_spec_read_file(study->spec, rut_node_text(study->spec, root, field),
                                              RUT_STUDY_MAX_FILE, &bytes, size, &fault);
  *text = bytes;
  if (status == RUT_ERR_MEMORY) return rut_study_no_memory(err);
  if (status == RUT_OK) return RUT_OK;
  return rut_study_wrong(study, root, field, err, "%.480s", fault.message);
}

// Whether a run's inputs make a world. The others may still be impossible, which their rows tell.
static rutStatus check_run(const rutStudy* study, const rutSpec* world, int64_t run,
                           rutError* err) {
  rutSpec* copy = NULL;
  rutModel* model = NULL;
  rutBytes settings = {0};
  rutError fault = {0};
  rut_study_settings(study, run, &settings);
  rutStatus status = settings.failed ? RUT_ERR_MEMORY : rut_spec_copy(world, &copy, &fault);
  for (size_t at = 0; at < settings.used && status == RUT_OK;) {
    const char* setting = (const char*)settings.data + at;
    status = rut_study_set(copy, setting, &fault);
    at += strlen(setting) + 1;
  }
  if (status == RUT_OK) status = rut_compile(copy, &model, &fault);
  rut_model_destroy(model);
  rut_spec_destroy(copy);
  rut_bytes_free(&settings);
  if (status == RUT_OK) return RUT_OK;
  if (status == RUT_ERR_MEMORY) return rut_study_no_memory(err);
  return rut_study_wrong(study, rut_spec_root(study->spec), NULL, err,
                         "run %lld is not possible: %.100s: %.360s", (long long)run, fault.element,
                         fault.message);
}

static rutStatus check_world(rutStudy* study, rutError* err) {
  rutContext* context = NULL;
  rutSpec* world = NULL;
  rutModel* model = NULL;
  rutData* data = NULL;
  rutStatus status = study->host.open(0, &context, study->host.user, err);
  if (status == RUT_OK) {
    status =
        rut_spec_parse(context, study->world_text, study->world_size, study->world, &world, err);
  }
  if (status == RUT_OK) study->world_random = rut_spec_is_random(world);
  if (status == RUT_OK) status = rut_study_check_inputs(study, world, err);
  if (status == RUT_OK) status = rut_compile(world, &model, err);
  if (status == RUT_OK) status = check_run(study, world, 0, err);
  if (status == RUT_OK) {
    study->model_hash = rut_model_hash(model);
    data = rut_data_create(model);
    status =
        data ? rut_study_check_measures(study, world, model, data, err) : rut_study_no_memory(err);
  }
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(world);
  rut_context_destroy(context);
  return status;
}

// ---- all of it ----

static rutStatus read_study(rutStudy* study, rutError* err) {
  size_t size;
  rutStatus status = read_root(study, err);
  if (status == RUT_OK) status = rut_spec_write(study->spec, study->path, &study->text, &size, err);
  if (status == RUT_OK) status = rut_study_read_inputs(study, err);
  if (status == RUT_OK) status = rut_study_read_measures(study, err);
  if (status == RUT_OK) status = count_runs(study, err);
  if (status == RUT_OK) {
    status = read_file(study, "world", &study->world_text, &study->world_size, err);
  }
  if (status == RUT_OK && study->inputs_path[0]) {
    status = read_file(study, "inputs", &study->inputs_text, &study->inputs_size, err);
  }
  return status == RUT_OK ? check_world(study, err) : status;
}

// Takes the spec over.
static rutStatus make(rutContext* context, rutSpec* spec, const char* path,
                      const rutStudyHost* host, rutStudy** out, rutError* err) {
  rutStudy* study = calloc(1, sizeof *study);
  if (!study) {
    rut_spec_destroy(spec);
    return rut_study_no_memory(err);
  }
  study->context = context;
  study->host = host ? *host : (rutStudyHost){open_plain, NULL};
  study->spec = spec;
  study->path = rut_study_copy(path);
  const char* slash = strrchr(path, '/');
  study->folder = slash ? (size_t)(slash - path) + 1 : 0;
  const rutStatus status = study->path ? read_study(study, err) : rut_study_no_memory(err);
  if (status != RUT_OK) {
    rut_study_destroy(study);
    return status;
  }
  *out = study;
  return RUT_OK;
}

rutStatus rut_study_load(rutContext* context, const char* path, const rutStudyHost* host,
                         rutStudy** out, rutError* err) {
  *out = NULL;
  rutSpec* spec = NULL;
  const rutStatus status = rut_spec_load_as(context, "study", path, &spec, err);
  return status == RUT_OK ? make(context, spec, path, host, out, err) : status;
}

rutStatus rut_study_parse(rutContext* context, const rutText* text, const rutStudyHost* host,
                          rutStudy** out, rutError* err) {
  *out = NULL;
  rutSpec* spec = NULL;
  const rutStatus status = rut_spec_parse_as(context, "study", text, &spec, err);
  return status == RUT_OK ? make(context, spec, text->name, host, out, err) : status;
}

void rut_study_destroy(rutStudy* study) {
  if (!study) return;
  rut_study_free_inputs(study);
  rut_study_free_measures(study);
  free(study->name);
  free(study->text);
  free(study->path);
  free(study->world_text);
  free(study->inputs_text);
  rut_spec_destroy(study->spec);
  free(study);
}

// ---- what it tells ----

rutStudyInfo rut_study_info(const rutStudy* study) {
  const bool beside = strncmp(study->world, study->path, study->folder) == 0;
  return (rutStudyInfo){.name = study->name,
                        .description = study->description,
                        .world = study->world,
                        .world_name = study->world + (beside ? study->folder : 0),
                        .design = designs[study->design],
                        .text = study->text,
                        .runs = study->runs,
                        .combinations = study->combinations,
                        .points = study->points,
                        .replicas = study->replicas,
                        .inputs = study->inputs,
                        .measures = study->measures,
                        .requirements = study->requirements,
                        .seed = study->seed,
                        .model_hash = study->model_hash,
                        .duration = study->duration,
                        .random = study->world_random};
}

rutStudyInput rut_study_input(const rutStudy* study, int input) {
  if (input < 0 || input >= study->inputs) {
    return (rutStudyInput){.name = "", .type = "", .path = "", .unit = "", .dimension = -1};
  }
  const rutVary* v = &study->vary[input];
  return (rutStudyInput){.name = v->name,
                         .type = rut_vary_names[v->type],
                         .path = v->path,
                         .unit = v->unit,
                         .number = v->number,
                         .dimension = v->crossed ? -1 : v->place,
                         .levels = v->levels.n};
}

rutStudyMeasure rut_study_measure(const rutStudy* study, int measure) {
  if (measure < 0 || measure >= study->measures) return (rutStudyMeasure){"", "", ""};
  const rutMeasure* m = &study->measure[measure];
  return (rutStudyMeasure){m->name, rut_measure_names[m->type], m->unit};
}

const char* rut_study_end_name(rutStudyEnd end) {
#define X(name) #name,
  static const char* const names[] = {RUT_STUDY_END_LIST(X)};
#undef X
  return (int)end >= 0 && end < RUT_STUDY_ENDS ? names[end] : "";
}
