// SPDX-License-Identifier: BSD-3-Clause
#include "view/workshop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

enum { JOBS = 128 };

typedef struct Job {
  enum { SET, SUBSTITUTE, RESTORE, RUN } kind;
  int client, vehicle;
  int64_t run;
  char path[VIEW_PATH_SIZE], value[VIEW_VALUE_SIZE];
} Job;

struct viewWorkshop {
  cliWorld* world;  // its context; spec and model are the workshop's
  viewHub* hub;
  const rutSignals* signals;
  char* title;
  rutSpec* spec;      // the world as it was changed, without controllers that stand in
  bool* substituted;  // vehicles with one
  uint64_t scene;     // the part of the scene that does not change with parameters
  viewStudy* study;   // Nullable
  int64_t run;        // of it, as it stands there; else -1
  pthread_t thread;
  bool started;

  pthread_mutex_t lock;  // of everything below
  pthread_cond_t wake;
  Job job[JOBS];
  int first, jobs;
  bool ending, ready;
  viewBuild build;  // waits to be taken, if ready
  viewBox* box;     // the newest world
  viewAssets assets;
};

void view_build_free(viewBuild* build) {
  rut_data_destroy(build->data);
  view_box_drop(build->box);
  free(build->driver);
  free(build->substituted);
  rut_inputs_destroy(build->start.inputs);
  *build = (viewBuild){.run = -1};
}

// ---- building ----

static rutStatus no_memory(rutError* err) {
  *err = (rutError){.status = RUT_ERR_MEMORY, .message = "out of memory"};
  return RUT_ERR_MEMORY;
}

// Put the controllers that stand in into a spec.
static rutStatus substitute_all(const viewWorkshop* w, const viewDriver* driver, rutSpec* spec,
                                rutError* err) {
  rutStatus status = RUT_OK;
  rutNode node = rut_node_first(spec, rut_spec_root(spec), "vehicle");
  for (int i = 0; i < w->hub->shape.vehicles && !rut_node_is_null(node) && status == RUT_OK; i++) {
    if (w->substituted[i]) status = view_driver_substitute(&driver[i], spec, node, err);
    node = rut_node_next(spec, node, "vehicle");
  }
  return status;
}

static bool any_substituted(const viewWorkshop* w) {
  bool any = false;
  for (int i = 0; i < w->hub->shape.vehicles; i++) any |= w->substituted[i];
  return any;
}

// Compile a spec with the controllers that stand in.
static rutStatus compile(viewWorkshop* w, const viewDriver* driver, const rutSpec* spec,
                         rutModel** model, rutError* err) {
  if (!any_substituted(w)) return rut_compile(spec, model, err);
  rutSpec* copy = NULL;
  rutStatus status = rut_spec_copy(spec, &copy, err);
  if (status == RUT_OK) status = substitute_all(w, driver, copy, err);
  if (status == RUT_OK) status = rut_compile(copy, model, err);
  rut_spec_destroy(copy);
  return status;
}

static rutStatus check_shape(const viewWorkshop* w, const rutModel* model, rutError* err) {
  viewShape shape;
  if (!view_shape_of(model, &shape)) return no_memory(err);
  const bool same = view_shape_equal(&shape, &w->hub->shape);
  view_shape_free(&shape);
  if (same) return RUT_OK;
  *err = (rutError){.status = RUT_ERR_VERSION,
                    .message = "this changes which things there are; start the viewer again"};
  return RUT_ERR_VERSION;
}

// Everything that the simulation needs of a model, which is taken over.
static rutStatus finish(viewWorkshop* w, viewDriver* driver, rutModel* model, viewBuild* build,
                        rutError* err) {
  *build = (viewBuild){.box = view_box_create(model), .driver = driver, .run = w->run};
  if (build->box) build->data = rut_data_create(model);
  const size_t n = (size_t)w->hub->shape.vehicles + 1;
  build->substituted = malloc(n);
  if (!build->data || !build->substituted) {
    view_build_free(build);
    return no_memory(err);
  }
  memcpy(build->substituted, w->substituted, n);
  return RUT_OK;
}

static rutStatus make(viewWorkshop* w, const rutSpec* spec, viewBuild* build, rutError* err) {
  rutModel* model = NULL;
  // which controllers stand in has to be known before there is a model: the last one has the same
  // vehicles, but perhaps other masses
  viewDriver* before = view_drivers_of(spec, w->box->model);
  if (!before) return no_memory(err);
  rutStatus status = compile(w, before, spec, &model, err);
  free(before);
  if (status == RUT_OK) status = check_shape(w, model, err);
  viewDriver* driver = status == RUT_OK ? view_drivers_of(spec, model) : NULL;
  if (driver) return finish(w, driver, model, build, err);
  rut_model_destroy(model);
  return status == RUT_OK ? no_memory(err) : status;
}

// Hand a build to the simulation, in place of one that it did not take yet.
static void deliver(viewWorkshop* w, viewBuild* build) {
  viewBox* box = view_box_share(build->box);
  pthread_mutex_lock(&w->lock);
  viewBuild late = w->ready ? w->build : (viewBuild){0};
  viewBox* old = w->box;
  if (late.begins && !build->begins) {
    build->begins = true;
    build->start = late.start;
    late.start.inputs = NULL;
  }
  w->build = *build;
  w->box = box;
  w->ready = true;
  pthread_mutex_unlock(&w->lock);
  view_build_free(&late);
  view_box_drop(old);
  view_hub_poke(w->hub);
}

// ---- scene ----

// Write the scene anew. Pages are told if more of it has changed than values of parameters.
static rutStatus show(viewWorkshop* w, const rutSpec* spec, viewBox* box, const viewDriver* driver,
                      rutError* err) {
  viewAssets* assets = calloc(1, sizeof *assets);
  rutData* data = view_box_ground(box);
  uint64_t fixed = 0;
  viewBytes* scene = NULL;
  if (assets && data) {
    const viewSceneDef def = {.spec = spec,
                              .model = box->model,
                              .data = data,
                              .shape = &w->hub->shape,
                              .signals = w->signals,
                              .driver = driver,
                              .assets = assets,
                              .title = w->title};
    scene = view_scene_write(&def, &fixed);
  }
  if (!scene) {
    if (assets) view_assets_free(assets);
    free(assets);
    return no_memory(err);
  }
  view_hub_lock(w->hub);
  view_bytes_drop(w->hub->scene);
  w->hub->scene = scene;
  view_hub_unlock(w->hub);
  pthread_mutex_lock(&w->lock);
  view_assets_free(&w->assets);
  w->assets = *assets;
  pthread_mutex_unlock(&w->lock);
  free(assets);
  if (w->scene != 0 && w->scene != fixed) {
    const viewNews news = {.kind = VIEW_NEWS_SCENE, .client = -1};
    view_hub_tell(w->hub, &news);
  }
  w->scene = fixed;
  return RUT_OK;
}

// ---- jobs ----

// A field that was set as pages show it: a number in its own unit, else the text that was given.
static void tell_value(const rutSpec* spec, const Job* job, char* text, size_t size) {
  char path[VIEW_PATH_SIZE];
  snprintf(path, sizeof path, "%s", job->path);
  char* dot = strrchr(path, '.');
  const char* field = dot ? dot + 1 : path;
  if (dot) *dot = '\0';
  const rutNode node = dot ? rut_spec_find(spec, path) : rut_spec_root(spec);
  const double number = rut_node_is_null(node) ? (double)NAN : rut_node_number(spec, node, field);
  if (isfinite(number)) {
    snprintf(text, size, "%.10g", number);
  } else {
    snprintf(text, size, "%s", job->value);
  }
}

// Go on with the world of a build, and show it.
static rutStatus change_world(viewWorkshop* w, rutSpec* spec, viewBuild* build, rutError* err) {
  rut_spec_destroy(w->spec);
  w->spec = spec;
  w->run = build->run;
  // many values may be others: pages read all of them again
  if (build->begins) w->scene = ~w->scene;
  const rutStatus status = show(w, w->spec, build->box, build->driver, err);
  deliver(w, build);
  return status;
}

static rutStatus set_parameter(viewWorkshop* w, const Job* job, rutError* err) {
  if (!view_scene_is_parameter(w->spec, job->path)) {
    *err = (rutError){.status = RUT_ERR_ARGUMENT,
                      .message = "is not among the parameters that may change while it runs"};
    return RUT_ERR_ARGUMENT;
  }
  rutSpec* trial = NULL;
  viewBuild build = {0};
  rutStatus status = rut_spec_copy(w->spec, &trial, err);
  if (status == RUT_OK) status = rut_spec_set(trial, job->path, job->value, err);
  if (status == RUT_OK) status = make(w, trial, &build, err);
  if (status != RUT_OK) {
    rut_spec_destroy(trial);
    return status;
  }
  viewNews news = {.kind = VIEW_NEWS_PARAMETER, .client = -1};
  snprintf(news.path, sizeof news.path, "%s", job->path);
  tell_value(trial, job, news.text, sizeof news.text);
  build.run = -1;
  status = change_world(w, trial, &build, err);
  view_hub_tell(w->hub, &news);
  return status;
}

static rutStatus begin_run(viewWorkshop* w, const Job* job, rutError* err) {
  rutSpec* spec = NULL;
  viewBuild build = {.run = -1};
  rutStatus status = view_study_world(w->study, job->run, &spec, err);
  if (status == RUT_OK) status = make(w, spec, &build, err);
  if (status == RUT_OK) {
    status = view_study_run(w->study, job->run, build.box->model, &build.start, err);
  }
  if (status != RUT_OK) {
    view_build_free(&build);
    rut_spec_destroy(spec);
    return status;
  }
  build.begins = true;
  build.run = job->run;
  return change_world(w, spec, &build, err);
}

static rutStatus change_controller(viewWorkshop* w, const Job* job, rutError* err) {
  const bool on = job->kind == SUBSTITUTE;
  if (w->substituted[job->vehicle] == on) return RUT_OK;
  viewBuild build;
  w->substituted[job->vehicle] = on;
  const rutStatus status = make(w, w->spec, &build, err);
  if (status == RUT_OK) {
    deliver(w, &build);
  } else {
    w->substituted[job->vehicle] = !on;
  }
  return status;
}

static void work(viewWorkshop* w, const Job* job) {
  rutError err = {0};
  // findings of failed changes are not those of the world
  cli_report_close(&w->world->report);
  cli_report_open(&w->world->report, stderr);
  w->world->report.silent = true;
  const rutStatus status = job->kind == SET   ? set_parameter(w, job, &err)
                           : job->kind == RUN ? begin_run(w, job, &err)
                                              : change_controller(w, job, &err);
  if (status == RUT_OK) return;
  const char* what = err.message[0] ? err.message : rut_status_text(status);
  view_hub_error(w->hub, job->client, "%s%s%s", job->kind == SET ? job->path : "",
                 job->kind == SET ? ": " : "", what);
}

static bool next_job(viewWorkshop* w, Job* job) {
  pthread_mutex_lock(&w->lock);
  while (w->jobs == 0 && !w->ending) pthread_cond_wait(&w->wake, &w->lock);
  const bool any = !w->ending;
  if (any) {
    *job = w->job[w->first];
    w->first = (w->first + 1) % JOBS;
    w->jobs--;
  }
  pthread_mutex_unlock(&w->lock);
  return any;
}

static void* run(void* user) {
  viewWorkshop* w = user;
  Job job;
  while (next_job(w, &job)) work(w, &job);
  return NULL;
}

// Does a change take the place of one that waits? So a slider that is drawn along does not fill the
// queue.
static bool replaces(const Job* job, const Job* waiting) {
  if (job->kind == RUN) return waiting->kind == RUN;
  return job->kind == SET && waiting->kind == SET && strcmp(waiting->path, job->path) == 0;
}

static bool ask(viewWorkshop* w, const Job* job) {
  pthread_mutex_lock(&w->lock);
  Job* place = NULL;
  const int last = (w->first + w->jobs - 1) % JOBS;
  if (w->jobs > 0 && replaces(job, &w->job[last])) {
    place = &w->job[last];
  } else if (w->jobs < JOBS) {
    place = &w->job[(w->first + w->jobs++) % JOBS];
  }
  if (place) *place = *job;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  return place != NULL;
}

bool view_workshop_set(viewWorkshop* w, int client, const char* path, const char* value) {
  Job job = {.kind = SET, .client = client};
  snprintf(job.path, sizeof job.path, "%s", path);
  snprintf(job.value, sizeof job.value, "%s", value);
  return ask(w, &job);
}

bool view_workshop_run(viewWorkshop* w, int client, int64_t run) {
  return ask(w, &(Job){.kind = RUN, .client = client, .run = run});
}

bool view_workshop_substitute(viewWorkshop* w, int client, int vehicle, bool on) {
  const Job job = {.kind = on ? SUBSTITUTE : RESTORE, .client = client, .vehicle = vehicle};
  return ask(w, &job);
}

bool view_workshop_take(viewWorkshop* w, viewBuild* build) {
  pthread_mutex_lock(&w->lock);
  const bool any = w->ready;
  if (any) *build = w->build;
  w->ready = false;
  pthread_mutex_unlock(&w->lock);
  return any;
}

viewBytes* view_workshop_asset(viewWorkshop* w, int index, viewContent* content) {
  viewBytes* bytes = NULL;
  pthread_mutex_lock(&w->lock);
  if (index >= 0 && index < w->assets.count) {
    bytes = view_bytes_share(w->assets.asset[index].bytes);
    *content = w->assets.asset[index].content;
  }
  pthread_mutex_unlock(&w->lock);
  return bytes;
}

viewRefused view_workshop_refused(viewWorkshop* w) {
  pthread_mutex_lock(&w->lock);
  const viewRefused refused = w->assets.refused;
  pthread_mutex_unlock(&w->lock);
  return refused;
}

viewBox* view_workshop_box(viewWorkshop* w) {
  pthread_mutex_lock(&w->lock);
  viewBox* box = view_box_share(w->box);
  pthread_mutex_unlock(&w->lock);
  return box;
}

// ---- life ----

static rutStatus begin(viewWorkshop* w, cliWorld* world, const char* title, rutError* err) {
  w->title = strdup(title);
  w->run = -1;
  w->substituted = calloc((size_t)w->hub->shape.vehicles + 1, sizeof *w->substituted);
  rutModel* model = world->model;
  world->model = NULL;
  w->spec = world->spec;
  world->spec = NULL;
  w->box = view_box_create(model);
  viewDriver* driver = w->box ? view_drivers_of(w->spec, model) : NULL;
  if (!w->title || !w->substituted || !driver) {
    free(driver);
    return no_memory(err);
  }
  rutStatus status = show(w, w->spec, w->box, driver, err);
  if (status != RUT_OK) {
    free(driver);
    return status;
  }
  // the first build shares the model that was compiled already
  w->build =
      (viewBuild){.box = view_box_share(w->box), .driver = driver, .data = world->data, .run = -1};
  world->data = NULL;
  w->build.substituted = calloc((size_t)w->hub->shape.vehicles + 1, sizeof *w->substituted);
  w->ready = true;
  return w->build.substituted ? RUT_OK : no_memory(err);
}

rutStatus view_workshop_create(cliWorld* world, viewHub* hub, const rutSignals* signals,
                               const char* title, viewWorkshop** out, rutError* err) {
  *out = NULL;
  viewWorkshop* w = calloc(1, sizeof *w);
  if (!w) return no_memory(err);
  w->world = world;
  w->hub = hub;
  w->signals = signals;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->wake, NULL);
  rutStatus status = begin(w, world, title, err);
  if (status == RUT_OK && pthread_create(&w->thread, NULL, run, w) != 0) status = no_memory(err);
  if (status != RUT_OK) {
    view_workshop_destroy(w);
    return status;
  }
  w->started = true;
  *out = w;
  return RUT_OK;
}

rutStatus view_workshop_study(viewWorkshop* w, viewStudy* study, int64_t run, rutError* err) {
  viewRun start;
  const rutStatus status = view_study_run(study, run, w->box->model, &start, err);
  if (status != RUT_OK) return status;
  w->study = study;
  w->run = w->build.run = run;
  w->build.begins = true;
  w->build.start = start;
  return RUT_OK;
}

void view_workshop_destroy(viewWorkshop* w) {
  if (!w) return;
  pthread_mutex_lock(&w->lock);
  w->ending = true;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  if (w->started) pthread_join(w->thread, NULL);
  if (w->ready) view_build_free(&w->build);
  view_box_drop(w->box);
  view_assets_free(&w->assets);
  if (w->spec) rut_spec_destroy(w->spec);
  free(w->substituted);
  free(w->title);
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->lock);
  free(w);
}
