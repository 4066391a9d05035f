// SPDX-License-Identifier: BSD-3-Clause
//
// rut sense: one sample of a sensor.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "rut/host.h"
#include "table.h"
#include "text.h"
#include "world.h"

typedef struct SenseOptions {
  double time;
  int64_t seed, workers;
  const char *output, *image, *inputs;
  bool json;
  cliList set, plugin;
  cliAllowed allowed;
} SenseOptions;

static const cliOption options[] = {
    {"time", 't', CLI_NUMBER, "S", 0, 1e9, offsetof(SenseOptions, time),
     "simulated time of the sample, or the next step (default: of the first one)"},
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(SenseOptions, output),
     "write .pcd, .ply, .las (point clouds), .png, .jpg, .pfm, .flo (images), .csv or .json "
     "(default: JSON to standard output)"},
    {"image", 'i', CLI_TEXT, "NAME", 0, 0, offsetof(SenseOptions, image),
     "image of a camera: colour, depth, class, instance, normal or flow (default: colour, of .pfm "
     "depth, of .flo flow)"},
    {"inputs", 0, CLI_TEXT, "FILE.csv", 0, 0, offsetof(SenseOptions, inputs),
     "set points over time, as for rut run"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(SenseOptions, json),
     "without SENSOR: print the sensors as JSON"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(SenseOptions, set),
     "change a field of the world; may be repeated"},
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(SenseOptions, seed),
     "seed of all noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(SenseOptions, workers),
     "threads; the result is the same for any number (default 1)"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(SenseOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(SenseOptions, allowed),
};

// ---- which sensor ----

// Whether a name is that of a sensor, or ends in it behind a slash.
static bool is_called(const char* sensor, const char* name) {
  const char* slash = strrchr(sensor, '/');
  return strcmp(sensor, name) == 0 || (slash && strcmp(slash + 1, name) == 0);
}

// "did you mean 'top'?", or the first of a few names, or what there is to be named.
static void print_suggestion(const rutModel* model, const char* name) {
  const int n = rut_count(model, RUT_SENSOR);
  const char** known = calloc((size_t)n + 1, sizeof *known);
  for (int i = 0; known && i < n; i++) {
    const char* slash = strrchr(rut_name(model, RUT_SENSOR, i), '/');
    known[i] = slash && !strchr(name, '/') ? slash + 1 : rut_name(model, RUT_SENSOR, i);
  }
  const char* nearest = known ? rut_nearest(name, (size_t)n, known) : NULL;
  if (nearest) {
    fprintf(stderr, "; did you mean '%s'?\n", CLI_CLEAN(nearest));
  } else if (n > 0) {
    fputs("; rut sense WORLD lists them\n", stderr);
  } else {
    fputs("; the world has no sensors\n", stderr);
  }
  free(known);
}

// Index of the sensor named, -1 and a message if there is none, or if there are several.
static int find_sensor(const rutModel* model, const char* name) {
  const int exact = rut_find(model, RUT_SENSOR, name), n = rut_count(model, RUT_SENSOR);
  if (exact >= 0) return exact;
  int found = -1, matches = 0;
  for (int i = 0; i < n; i++) {
    if (!is_called(rut_name(model, RUT_SENSOR, i), name)) continue;
    found = i;
    matches++;
  }
  if (matches > 1) {
    fprintf(stderr, "rut: error: %d sensors are called '%s': write VEHICLE/%s\n", matches,
            CLI_CLEAN(name), CLI_CLEAN(name));
  } else if (matches == 0) {
    fprintf(stderr, "rut: error: no sensor called '%s'", CLI_CLEAN(name));
    print_suggestion(model, name);
  }
  return matches == 1 ? found : -1;
}

// ---- all of them ----

// Names of a sensor's outputs, as many as there is room for.
static void outputs_of(const rutModel* model, int sensor, char text[CLI_TABLE_CELL]) {
  const int outputs = rut_sensor_info(model, sensor).outputs;
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < outputs; k++) {
    const char* name = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, k).name;
    const bool fits = used + strlen(name) + sizeof " ..." < CLI_TABLE_CELL;
    const int n =
        snprintf(text + used, CLI_TABLE_CELL - used, "%s%s", k > 0 ? " " : "", fits ? name : "...");
    if (!fits) return;
    used += (size_t)n;
  }
}

static void print_sensors(const rutModel* model) {
  static const char* const head[] = {"sensor", "type", "rate", "outputs"};
  enum { COLUMNS = sizeof head / sizeof head[0] };
  const int n = rut_count(model, RUT_SENSOR);
  if (n == 0) {
    puts("The world has no sensors.");
    return;
  }
  cliTable table;
  cli_table_init(&table, COLUMNS);
  for (int i = 0; i < COLUMNS; i++) cli_table_add(&table, "%s", head[i]);
  for (int i = 0; i < n; i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    char outputs[CLI_TABLE_CELL];
    outputs_of(model, i, outputs);
    cli_table_add(&table, "%s", info.name);
    cli_table_add(&table, "%s", info.type);
    cli_table_add(&table, "%.4g Hz", 1 / info.period);
    cli_table_add(&table, "%s", outputs);
  }
  cli_table_print(&table, "llrl", stdout);
  cli_table_free(&table);
}

static void put_sensors(const rutModel* model, FILE* out) {
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  cli_json_array(&json, "sensors");
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", info.name);
    cli_json_text(&json, "type", info.type);
    cli_json_number(&json, "period", info.period);
    cli_json_number(&json, "phase", info.phase);
    cli_json_number(&json, "latency", info.latency);
    cli_json_array(&json, "outputs");
    for (int k = 0; k < info.outputs; k++) {
      cli_json_text(&json, NULL, rut_variable(model, RUT_SENSOR, i, RUT_OUTPUT, k).name);
    }
    cli_json_end(&json);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

static int list_sensors(const SenseOptions* option, const rutModel* model) {
  if (option->output || option->image) {
    return cli_usage_error(&cli_verb_sense, "which SENSOR? Without -o, the sensors are listed");
  }
  if (option->json) {
    put_sensors(model, stdout);
  } else {
    print_sensors(model);
  }
  return CLI_DONE;
}

// ---- JSON of a sample ----

static void put_output(cliJson* json, const rutVariableInfo* v, const double* value) {
  cli_json_object(json, v->name);
  cli_json_text(json, "unit", v->unit);
  cli_json_array(json, "size");
  for (int i = 0; i < v->dimensions; i++) cli_json_integer(json, NULL, v->size[i]);
  cli_json_end(json);
  cli_json_array(json, "values");
  for (int k = 0; k < v->count; k++) cli_json_number(json, NULL, value[k]);
  cli_json_end(json);
  cli_json_end(json);
}

// What the numbers of classes and instances mean.
static void put_names(cliJson* json, const rutModel* model) {
  cli_json_array(json, "classes");
  for (int i = 0; i < rut_class_count(model); i++) {
    cli_json_text(json, NULL, rut_class_name(model, i));
  }
  cli_json_end(json);
  cli_json_array(json, "instances");
  rutInstanceInfo info;
  for (int i = 0; rut_instance_info(model, i, &info); i++) cli_json_text(json, NULL, info.name);
  cli_json_end(json);
}

// Images, and point clouds with labels="true".
static bool has_names(const rutModel* model, int sensor) {
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  bool labelled = false;
  for (int i = 0; i < info.outputs && info.form == RUT_FORM_POINT_CLOUD; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    labelled = labelled || (v.count > 0 && strcmp(v.name, "instance") == 0);
  }
  return labelled || info.form == RUT_FORM_IMAGE;
}

static rutStatus put_sample(const cliWorld* world, int sensor, double stamp, FILE* out) {
  const rutModel* model = world->model;
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  double* number = malloc(((size_t)info.size + 1) * sizeof *number);
  if (!number) return RUT_ERR_MEMORY;
  const rutVariableRange all = {RUT_SENSOR, sensor, RUT_OUTPUT, 0, info.outputs};
  const rutStatus status = rut_variables_read(model, world->data, &all, info.size, number);
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "sensor", info.name);
  cli_json_text(&json, "type", info.type);
  cli_json_number(&json, "time", stamp);
  cli_json_object(&json, "outputs");
  const double* at = number;
  for (int i = 0; i < info.outputs && status == RUT_OK; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    put_output(&json, &v, at);
    at += v.count;
  }
  cli_json_end(&json);
  if (has_names(model, sensor)) put_names(&json, model);
  cli_json_end(&json);
  free(number);
  return status;
}

static rutStatus save_json(const cliWorld* world, int sensor, double stamp, const char* path,
                           rutError* err) {
  rutOutput* output = NULL;
  rutStatus status = rut_output_create(path, &output, err);
  if (status != RUT_OK) return status;
  FILE* file = fopen(rut_output_part(output), "w");
  bool written = file && put_sample(world, sensor, stamp, file) == RUT_OK && !ferror(file);
  if (file && fclose(file) != 0) written = false;
  status = rut_output_close(output, written, err);
  if (status == RUT_OK && !written) {
    status = err->status = RUT_ERR_IO;
    snprintf(err->message, sizeof err->message, "'%s' cannot be written", path);
  }
  return status;
}

// ---- the sample ----

// Step to a time. The sensor takes the samples of the last two periods before it only, and others
// take none: those of cameras and lidars are most of the work.
static rutStatus run_to(cliWorld* world, int sensor, double time, rutInputs* inputs,
                        rutError* err) {
  const double step = rut_model_timestep(world->model);
  const double slack = 1e-3 * step;  // as that of due samples
  const rutSensorInfo info = rut_sensor_info(world->model, sensor);
  const double watched_from = time - info.latency - 2 * info.period - 3 * step;
  cli_world_watch(world, false);
  rutStatus status = RUT_OK;
  while (rut_time(world->data) < time - slack && status == RUT_OK) {
    if (rut_time(world->data) >= watched_from) {
      rut_sensor_watch(world->model, world->data, sensor, true);
    }
    if (inputs) status = rut_inputs_apply(inputs, world->model, world->data);
    if (status == RUT_OK) status = rut_step(world->model, world->data, err);
  }
  return status;
}

static bool ends_in(const char* path, const char* suffix) {
  const char* dot = strrchr(path, '.');
  return dot && strcmp(dot, suffix) == 0;
}

static rutStatus save_image(const cliWorld* world, int sensor, const SenseOptions* option,
                            rutError* err) {
  rutPicture picture;
  rutStatus status =
      rut_sample_picture(world->model, world->data, sensor, option->image, &picture, err);
  if (status == RUT_OK) status = rut_picture_save(world->model, &picture, option->output, err);
  free(picture.pixel);
  return status;
}

static rutStatus save_sample(const SenseOptions* option, const cliWorld* world, int sensor,
                             double stamp, rutError* err) {
  if (!option->output) return put_sample(world, sensor, stamp, stdout);
  if (option->image) return save_image(world, sensor, option, err);
  if (ends_in(option->output, ".json")) {
    return save_json(world, sensor, stamp, option->output, err);
  }
  return rut_sample_save(world->model, world->data, sensor, option->output, err);
}

static int sense(const SenseOptions* option, cliWorld* world, const char* name) {
  const int sensor = find_sensor(world->model, name);
  if (sensor < 0) return CLI_INVALID;
  const rutSensorInfo info = rut_sensor_info(world->model, sensor);
  const double first = info.phase + info.period + info.latency;
  rutError err = {0};
  rutInputs* inputs = NULL;
  rutStatus status = RUT_OK;
  if (option->inputs) {
    world->report.named = option->inputs;
    status = rut_inputs_load(world->model, option->inputs, &inputs, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  status = run_to(world, sensor, isnan(option->time) ? first : option->time, inputs, &err);
  rut_inputs_destroy(inputs);
  double stamp = -1;
  rut_sensor_output(world->model, world->data, sensor, 0, &stamp);
  if (status == RUT_OK && stamp < 0) {
    fprintf(stderr,
            "rut: error: no sample of '%s' can be seen at %g s: the first one comes at %g s\n",
            CLI_CLEAN(info.name), rut_time(world->data), first);
    return CLI_USAGE;
  }
  if (status == RUT_OK) status = save_sample(option, world, sensor, stamp, &err);
  return status == RUT_OK ? CLI_DONE : cli_report_failure(&world->report, status, &err);
}

static int run_sense(int argc, char** argv) {
  SenseOptions option = {.time = (double)NAN, .workers = 1};
  cliList files;
  int code = cli_parse(&cli_verb_sense, argc, argv, &option, &files);
  if (code != CLI_GO_ON) return code;
  if (option.image && !option.output) {
    return cli_usage_error(&cli_verb_sense, "--image needs --output FILE.png or FILE.pfm");
  }
  cliWorld world;
  code = cli_world_open(&world, stderr, option.workers, 0);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option.plugin);
  if (code == CLI_GO_ON) code = cli_world_load(&world, files.item[0], &option.set);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON && files.n < 2) {
    code = list_sensors(&option, world.model);
  } else {
    if (code == CLI_GO_ON) code = cli_world_start(&world, (uint64_t)option.seed);
    if (code == CLI_GO_ON) code = sense(&option, &world, files.item[1]);
  }
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_sense = {
    .name = "sense",
    .arguments = "WORLD [SENSOR]",
    .min_arguments = 1,
    .max_arguments = 2,
    .summary = "run a world up to a sample of a sensor, and write the sample",
    .details =
        "Without SENSOR, lists those of the world. SENSOR is its name, with that of its vehicle "
        "and\n"
        "a slash where several have it. The suffix of FILE says what is written: point clouds as\n"
        ".pcd, .ply or .las, in the frame of the sensor; images of cameras as .png (depth in\n"
        "millimetres, 0 where there is none), .jpg (colours) or .pfm (depth in metres, normals),\n"
        "optical flow as .flo; any sample as .csv or .json.",
    .examples =
        "  rut sense worlds/lidar.xml\n"
        "  rut sense worlds/lidar.xml lidar -o cloud.pcd\n"
        "  rut sense worlds/lidar.xml mast --time 2 -o cloud.las\n"
        "  rut sense worlds/lidar.xml watch -o colour.png\n"
        "  rut sense worlds/lidar.xml watch --image depth -o depth.pfm\n"
        "  rut sense worlds/corridor.xml high > scan.json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_sense,
};
