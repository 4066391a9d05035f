// SPDX-License-Identifier: BSD-3-Clause
//
// rut dataset: labelled images of a camera, in the folders of KITTI or COCO.
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cameras.h"
#include "cli.h"
#include "clock.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "rut/host.h"
#include "text.h"
#include "world.h"

typedef struct DatasetOptions {
  const char *output, *format, *camera, *lidar, *classes, *inputs;
  int64_t frames, per_scene, min_pixels, seed, workers;
  double every, from;
  bool corners, json, quiet;
  cliList set, plugin;
  cliAllowed allowed;
} DatasetOptions;

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "DIR", 0, 0, offsetof(DatasetOptions, output),
     "folder of the dataset; what is there already is kept, and the rest made"},
    {"format", 'f', CLI_TEXT, "NAME", 0, 0, offsetof(DatasetOptions, format),
     "kitti or coco (default: kitti)"},
    {"frames", 'n', CLI_INTEGER, "N", 1, 1000000, offsetof(DatasetOptions, frames),
     "labelled frames (default 100)"},
    {"camera", 'c', CLI_TEXT, "NAME", 0, 0, offsetof(DatasetOptions, camera),
     "camera of the images (default: the first one)"},
    {"lidar", 'l', CLI_TEXT, "NAME", 0, 0, offsetof(DatasetOptions, lidar),
     "lidar of the point clouds of KITTI (default: the first one on the camera's vehicle)"},
    {"every", 'e', CLI_NUMBER, "S", 1e-6, 1e6, offsetof(DatasetOptions, every),
     "simulated time between two frames (default: that between two images and two scans)"},
    {"from", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(DatasetOptions, from),
     "simulated time from which on frames are taken (default 0)"},
    {"per-scene", 0, CLI_INTEGER, "N", 1, 1000000, offsetof(DatasetOptions, per_scene),
     "frames of a run, after which the world is made anew with the next seed (default: 1 if it "
     "has random numbers, else all)"},
    {"corners", 0, CLI_FLAG, "", 0, 0, offsetof(DatasetOptions, corners),
     "boxes in the image are those of whole things, also where they are hidden (default: of the "
     "pixels that are seen)"},
    {"min-pixels", 0, CLI_INTEGER, "N", 1, 1000000, offsetof(DatasetOptions, min_pixels),
     "things with fewer pixels have no label (default 20)"},
    {"classes", 0, CLI_TEXT, "NAME,...", 0, 0, offsetof(DatasetOptions, classes),
     "only these semantic classes have labels; for COCO in the order of their categories "
     "(default: all, in alphabetical order)"},
    {"inputs", 'i', CLI_TEXT, "FILE.csv", 0, 0, offsetof(DatasetOptions, inputs),
     "set points over time, as for rut run"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(DatasetOptions, set),
     "change a field of the world; may be repeated"},
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(DatasetOptions, seed),
     "seed of the first scene and its noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(DatasetOptions, workers),
     "threads; the files are the same for any number (default 1)"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(DatasetOptions, json),
     "print the summary as a JSON object"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(DatasetOptions, quiet), "no progress, no warnings"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(DatasetOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(DatasetOptions, allowed),
};

static volatile sig_atomic_t interrupted;
static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

enum { MOST_CLASSES = 256, CLASSES_LENGTH = 1024, AHEAD = 2 };

// A dataset that is being made.
typedef struct Job {
  const DatasetOptions* option;
  const char* path;  // of the world
  rutDatasetDef def;
  char classes[CLASSES_LENGTH];  // --classes, cut at its commas
  const char* class_name[MOST_CLASSES];
  char camera[256], lidar[256];  // full names; lidar "" for none
  double every;                  // [s]
  int frames, per_scene, made;
  cliProgress progress;
  // the first two scenes, which it has looked at: whether they are loaded, and await their frames
  cliWorld ahead[AHEAD];
  bool opened[AHEAD];
} Job;

static bool is_multiple(double time, double of) {
  return fabs(time / of - round(time / of)) < 1e-6;
}

// ---- scenes ----

// The world with a seed for its random numbers, not compiled.
static int load(const Job* job, int scene, cliWorld* world) {
  const DatasetOptions* option = job->option;
  const uint64_t seed = (uint64_t)option->seed + (uint64_t)scene;
  int code = cli_world_open(world, stderr, option->workers, seed);
  // it has been told what is doubtful about the first scene
  world->report.quiet = option->quiet || scene > 0;
  if (code == CLI_GO_ON) code = cli_world_allow(world, &option->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(world, &option->plugin);
  if (code == CLI_GO_ON) code = cli_world_load(world, job->path, &option->set);
  return code;
}

static double start_of(const Job* job) { return isnan(job->option->from) ? 0 : job->option->from; }

// Let both sensors be seen at the times of their samples, and the camera take one per frame.
static int schedule(const Job* job, cliWorld* world) {
  rutError err = {0};
  const rutNode camera = cli_sensor_node_called(world->spec, job->camera);
  cli_set_number(world->spec, camera, "period", job->every, &err);
  cli_set_number(world->spec, camera, "phase", start_of(job), &err);
  cli_set_number(world->spec, camera, "latency", 0, &err);
  if (job->lidar[0]) {
    const rutNode lidar = cli_sensor_node_called(world->spec, job->lidar);
    cli_set_number(world->spec, lidar, "phase", 0, &err);
    cli_set_number(world->spec, lidar, "latency", 0, &err);
  }
  return err.status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, err.status, &err);
}

// Whether that is so without doing anything.
static bool is_scheduled(const Job* job, const rutModel* model) {
  const rutSensorInfo camera = rut_sensor_info(model, rut_find(model, RUT_SENSOR, job->camera));
  const bool seen =
      camera.period == job->every && camera.phase == start_of(job) && camera.latency == 0;
  if (!job->lidar[0]) return seen;
  const rutSensorInfo lidar = rut_sensor_info(model, rut_find(model, RUT_SENSOR, job->lidar));
  return seen && lidar.phase == 0 && lidar.latency == 0;
}

static int open_scene(const Job* job, int scene, cliWorld* world) {
  int code = load(job, scene, world);
  if (code == CLI_GO_ON) code = schedule(job, world);
  return code == CLI_GO_ON ? cli_world_compile(world) : code;
}

static int no_image(const Job* job, int frame) {
  fprintf(stderr,
          "rut: error: camera '%s' takes no image for frame %d: leave its <failure> elements out\n",
          CLI_CLEAN(job->camera), frame);
  return CLI_INVALID;
}

// Samples are taken where a frame needs them: those of the camera, of the lidar in the last scan
// before the frame, and none of other sensors.
static void watch(const Job* job, cliWorld* world, double next) {
  cli_world_watch(world, false);
  rut_sensor_watch(world->model, world->data, job->def.camera, true);
  if (job->def.lidar < 0) return;
  const double scan = rut_sensor_info(world->model, job->def.lidar).period;
  const double from = next - 2 * scan - 3 * rut_model_timestep(world->model);
  rut_sensor_watch(world->model, world->data, job->def.lidar, rut_time(world->data) >= from);
}

// One step towards the next frame.
static rutStatus step(cliWorld* world, rutInputs* inputs, rutError* err) {
  rutStatus status = RUT_OK;
  if (inputs) status = rut_inputs_apply(inputs, world->model, world->data);
  return status == RUT_OK ? rut_step(world->model, world->data, err) : status;
}

// Write those frames of a scene, the first of which has this number, that are not there.
static int make_frames(Job* job, cliWorld* world, rutInputs* inputs, int first) {
  const int left = job->frames - first;
  const int n = left < job->per_scene ? left : job->per_scene;
  const double from = start_of(job);
  double last = -1;
  rutError err = {0};
  rutStatus status = RUT_OK;
  for (int k = 0; k < n && status == RUT_OK && !interrupted;) {
    watch(job, world, from + (k + 1) * job->every);
    status = step(world, inputs, &err);
    double stamp = -1;
    rut_sensor_output(world->model, world->data, job->def.camera, 0, &stamp);
    if (status != RUT_OK) break;
    if (stamp < 0 || stamp == last) {
      if (rut_time(world->data) > from + (k + 1.5) * job->every) return no_image(job, first + k);
      continue;
    }
    last = stamp;
    if (!rut_dataset_has(&job->def, first + k)) {
      status = rut_dataset_put(world->model, world->data, &job->def, first + k, &err);
      job->made += status == RUT_OK;
    }
    k++;
    cli_progress_update(&job->progress, first + k);
  }
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

// Run a compiled scene.
static int run_scene(Job* job, int scene, cliWorld* world) {
  rutInputs* inputs = NULL;
  int code = cli_world_start(world, (uint64_t)job->option->seed + (uint64_t)scene);
  if (code != CLI_GO_ON) return code;
  job->def.camera = rut_find(world->model, RUT_SENSOR, job->camera);
  job->def.lidar = job->lidar[0] ? rut_find(world->model, RUT_SENSOR, job->lidar) : -1;
  if (job->option->inputs) {
    rutError err = {0};
    world->report.named = job->option->inputs;
    const rutStatus status = rut_inputs_load(world->model, job->option->inputs, &inputs, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  code = make_frames(job, world, inputs, scene * job->per_scene);
  rut_inputs_destroy(inputs);
  return code;
}

static void close_ahead(Job* job, int scene) {
  if (job->opened[scene]) cli_world_close(&job->ahead[scene]);
  job->opened[scene] = false;
}

static int make_scene(Job* job, int scene) {
  int code;
  if (scene < AHEAD && job->opened[scene]) {
    code = run_scene(job, scene, &job->ahead[scene]);
    close_ahead(job, scene);
    return code;
  }
  cliWorld world;
  code = open_scene(job, scene, &world);
  if (code == CLI_GO_ON) code = run_scene(job, scene, &world);
  cli_world_close(&world);
  return code;
}

static bool is_complete(const Job* job, int scene) {
  const int first = scene * job->per_scene;
  for (int i = first; i < first + job->per_scene && i < job->frames; i++) {
    if (!rut_dataset_has(&job->def, i)) return false;
  }
  return true;
}

// ---- before the first frame ----

// The lidar that was named, or the first one on the camera's vehicle.
static int choose_lidar(const DatasetOptions* option, const rutModel* model, int camera) {
  if (option->lidar) return cli_find_sensor(model, RUT_FORM_POINT_CLOUD, option->lidar);
  const int vehicle = rut_sensor_info(model, camera).vehicle;
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    if (info.form == RUT_FORM_POINT_CLOUD && info.vehicle == vehicle) return i;
  }
  return -1;
}

// Time between two frames: one image, and a whole number of scans and of steps.
static int choose_time(Job* job, const rutModel* model, int camera, int lidar) {
  const double step = rut_model_timestep(model), image = rut_sensor_info(model, camera).period;
  const double scan = lidar >= 0 ? rut_sensor_info(model, lidar).period : step;
  const double from = start_of(job);
  job->every = isnan(job->option->every) ? scan * ceil(image / scan - 1e-6) : job->option->every;
  if (is_multiple(job->every, step) && is_multiple(from, step) && is_multiple(job->every, scan) &&
      is_multiple(from, scan)) {
    return CLI_GO_ON;
  }
  return cli_usage_error(&cli_verb_dataset,
                         "--every %g and --from %g must be multiples of the step of %g s%s%.*g%s",
                         job->every, from, step, lidar >= 0 ? " and of the scans' " : "",
                         lidar >= 0 ? 6 : 0, lidar >= 0 ? scan : 0, lidar >= 0 ? " s" : "");
}

static int choose_sensors(Job* job, const rutModel* model) {
  const DatasetOptions* option = job->option;
  const int camera = cli_find_sensor(model, RUT_FORM_IMAGE, option->camera);
  if (camera < 0 && option->camera) {
    return cli_unknown_element(model, RUT_SENSOR, "camera", option->camera);
  }
  if (camera < 0) {
    fputs("rut: error: the world has no camera\n", stderr);
    return CLI_INVALID;
  }
  const bool kitti = job->def.format == RUT_DATASET_KITTI;
  const int lidar = kitti ? choose_lidar(option, model, camera) : -1;
  if (lidar < 0 && kitti && option->lidar) {
    return cli_unknown_element(model, RUT_SENSOR, "lidar", option->lidar);
  }
  snprintf(job->camera, sizeof job->camera, "%.255s", rut_name(model, RUT_SENSOR, camera));
  if (lidar >= 0) {
    snprintf(job->lidar, sizeof job->lidar, "%.255s", rut_name(model, RUT_SENSOR, lidar));
  }
  return choose_time(job, model, camera, lidar);
}

// Look at the first scene, and whether the second one is another. Both stay for their frames.
static int look(Job* job, uint64_t* hash) {
  cliWorld* first = &job->ahead[0];
  job->opened[0] = true;
  int code = load(job, 0, first);
  if (code == CLI_GO_ON) code = cli_world_compile(first);
  if (code == CLI_GO_ON) code = choose_sensors(job, first->model);
  if (code != CLI_GO_ON) return code;
  *hash = rut_model_hash(first->model);
  if (!is_scheduled(job, first->model)) {
    rut_model_destroy(first->model);
    first->model = NULL;
    code = schedule(job, first);
    if (code == CLI_GO_ON) code = cli_world_compile(first);
  }
  job->per_scene = (int)job->option->per_scene;
  if (code != CLI_GO_ON || job->per_scene > 0) return code;
  job->opened[1] = true;
  code = open_scene(job, 1, &job->ahead[1]);
  if (code != CLI_GO_ON) return code;
  const bool same = rut_model_hash(first->model) == rut_model_hash(job->ahead[1].model);
  job->per_scene = same ? 1000000 : 1;
  if (same) close_ahead(job, 1);
  return CLI_GO_ON;
}

// What a dataset is made of, as a file in its folder: frames of another one are not mixed with it.
static void describe(const Job* job, uint64_t hash, char* text, size_t size) {
  const DatasetOptions* option = job->option;
  snprintf(text, size,
           "# written by rut dataset, which compares it before it goes on\n"
           "format %s\nworld %016" PRIx64
           "\ncamera %s\nlidar %s\nevery %.12g\nfrom %.12g\n"
           "per_scene %d\nseed %" PRId64 "\nboxes %s\nmin_pixels %d\n",
           job->def.format == RUT_DATASET_KITTI ? "kitti" : "coco", hash, job->camera,
           job->lidar[0] ? job->lidar : "-", job->every, start_of(job), job->per_scene,
           option->seed, option->corners ? "corners" : "pixels", job->def.min_pixels);
  const size_t used = strlen(text);
  if (option->classes) snprintf(text + used, size - used, "classes %s\n", option->classes);
}

// Whether the file is there: 1, and with the same text; 0 not there; -1 another one.
static int compare(const char* path, const char* text) {
  char old[4096] = "";
  FILE* file = rut_file_open(path, NULL);
  if (!file) return 0;
  const size_t n = fread(old, 1, sizeof old - 1, file);
  fclose(file);
  return n == strlen(text) && memcmp(old, text, n) == 0 ? 1 : -1;
}

static int begin_folder(const Job* job, uint64_t hash) {
  char path[4096], text[4096];
  rutError err = {0};
  const int n = snprintf(path, sizeof path, "%s/rut_dataset.txt", job->option->output);
  if (n < 0 || n >= (int)sizeof path) {
    return cli_usage_error(&cli_verb_dataset, "the name of the folder is too long");
  }
  describe(job, hash, text, sizeof text);
  const int known = compare(path, text);
  if (known > 0) return CLI_GO_ON;
  if (known < 0) {
    fprintf(stderr,
            "rut: error: '%s' holds a dataset of another world or with other options, see\n"
            "rut_dataset.txt there: remove it, or write to another folder\n",
            CLI_CLEAN(job->option->output));
    return CLI_USAGE;
  }
  rutOutput* output = NULL;
  rutStatus status = rut_folder_create(job->option->output, &err);
  if (status == RUT_OK) status = rut_output_create(path, &output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  FILE* file = fopen(rut_output_part(output), "w");
  bool fine = file && fputs(text, file) >= 0;
  if (file && fclose(file) != 0) fine = false;
  status = rut_output_close(output, fine, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (fine) return CLI_GO_ON;
  fprintf(stderr, "rut: error: '%s' cannot be written\n", CLI_CLEAN(path));
  return CLI_IO;
}

// ---- the verb ----

// The names of --classes.
static int read_classes(Job* job) {
  const char* text = job->option->classes;
  if (!text) return CLI_GO_ON;
  const int n = snprintf(job->classes, sizeof job->classes, "%s", text);
  if (n < 0 || n >= CLASSES_LENGTH) {
    return cli_usage_error(&cli_verb_dataset, "--classes has at most %d letters",
                           CLASSES_LENGTH - 1);
  }
  job->def.class_name = job->class_name;
  for (char* name = job->classes; name;) {
    char* comma = strchr(name, ',');
    if (comma) *comma = '\0';
    bool new = name[0] != '\0' && job->def.classes < MOST_CLASSES;
    for (int i = 0; i < job->def.classes; i++) {
      if (strcmp(job->class_name[i], name) == 0) new = false;
    }
    if (!new) {
      return cli_usage_error(&cli_verb_dataset,
                             "--classes is a list of up to %d different names, such as "
                             "car,pedestrian",
                             MOST_CLASSES);
    }
    job->class_name[job->def.classes++] = name;
    name = comma ? comma + 1 : NULL;
  }
  return CLI_GO_ON;
}

static void print_summary(const Job* job, double wall) {
  if (!job->option->json) {
    printf("%d frames of '%s' in %s, %d of them new, in %.3g s\n", job->frames,
           CLI_CLEAN(job->camera), CLI_CLEAN(job->option->output), job->made, wall);
    return;
  }
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "folder", job->option->output);
  cli_json_text(&json, "format", job->def.format == RUT_DATASET_KITTI ? "kitti" : "coco");
  cli_json_text(&json, "camera", job->camera);
  cli_json_text(&json, "lidar", job->lidar);
  cli_json_integer(&json, "frames", job->frames);
  cli_json_integer(&json, "new", job->made);
  cli_json_integer(&json, "per_scene", job->per_scene < job->frames ? job->per_scene : job->frames);
  cli_json_number(&json, "every", job->every);
  cli_json_number(&json, "wall_time", wall);
  cli_json_end(&json);
}

static int make(Job* job) {
  uint64_t hash = 0;
  int code = look(job, &hash);
  if (code == CLI_GO_ON) code = begin_folder(job, hash);
  cli_catch_interrupts(on_interrupt);
  cli_progress_begin(&job->progress, job->frames, job->option->quiet);
  job->progress.unit = "frames";
  const int scenes = (job->frames - 1) / (job->per_scene > 0 ? job->per_scene : 1) + 1;
  for (int i = 0; i < scenes && code == CLI_GO_ON && !interrupted; i++) {
    if (!is_complete(job, i)) code = make_scene(job, i);
  }
  cli_progress_end(&job->progress);
  for (int i = 0; i < AHEAD; i++) close_ahead(job, i);
  if (code != CLI_GO_ON) return code;
  if (interrupted) {
    fprintf(stderr, "rut: interrupted after %d new frames; the same command goes on from there\n",
            job->made);
    return CLI_INTERRUPTED;
  }
  rutError err = {0};
  const rutStatus status = rut_dataset_finish(&job->def, job->frames, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_tell_failure(status, &err);
}

static int run_dataset(int argc, char** argv) {
  DatasetOptions option = {.workers = 1,
                           .frames = 100,
                           .min_pixels = 20,
                           .format = "kitti",
                           .every = (double)NAN,
                           .from = (double)NAN};
  cliList files;
  const int parsed = cli_parse(&cli_verb_dataset, argc, argv, &option, &files);
  if (parsed != CLI_GO_ON) return parsed;
  const bool kitti = strcmp(option.format, "kitti") == 0;
  if (!kitti && strcmp(option.format, "coco") != 0) {
    return cli_usage_error(&cli_verb_dataset, "--format is kitti or coco, not '%s'", option.format);
  }
  if (!option.output) return cli_usage_error(&cli_verb_dataset, "--output DIR is needed");
  if (!kitti && option.lidar) {
    return cli_usage_error(&cli_verb_dataset, "--lidar is for --format kitti");
  }
  Job job = {.option = &option,
             .path = files.item[0],
             .def = rut_default_dataset(),
             .frames = (int)option.frames};
  job.def.folder = option.output;
  job.def.format = kitti ? RUT_DATASET_KITTI : RUT_DATASET_COCO;
  job.def.corners = option.corners;
  job.def.min_pixels = (int)option.min_pixels;
  interrupted = 0;
  const double start = cli_clock();
  int code = read_classes(&job);
  if (code == CLI_GO_ON) code = make(&job);
  if (code != CLI_GO_ON) return code;
  print_summary(&job, cli_clock() - start);
  return CLI_DONE;
}

const cliVerb cli_verb_dataset = {
    .name = "dataset",
    .arguments = "WORLD",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "write labelled images for training, in the folders of KITTI or COCO",
    .details =
        "Simulates WORLD and writes images of a camera with labels of all vehicles and blocks in\n"
        "them: boxes in the image and in space, truncation, occlusion; for KITTI point clouds "
        "too,\n"
        "for COCO masks. A world with random numbers is made anew for each frame, with the next\n"
        "seed. The same command writes the same files, and goes on where it was interrupted.",
    .examples =
        "  rut dataset worlds/dataset.xml -o kitti --frames 1000\n"
        "  rut dataset worlds/dataset.xml -o coco --format coco --frames 1000 --seed 7\n"
        "  rut dataset worlds/lidar.xml --camera watch --every 0.5 -o frames -n 20",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_dataset,
};
