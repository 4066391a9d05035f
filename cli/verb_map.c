// SPDX-License-Identifier: BSD-3-Clause
#define _XOPEN_SOURCE 700  // for realpath
//
// rut map: where a vehicle can go, and how fast.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "gnuplot.h"
#include "interrupt.h"
#include "json.h"
#include "map_file.h"
#include "map_picture.h"
#include "map_summary.h"
#include "map_world.h"
#include "progress.h"
#include "shard.h"
#include "slurm.h"
#include "text.h"

typedef struct MapOptions {
  bool resume, dry_run, json, quiet;
  int64_t workers;
  double strength, variation, friction, sight;
  const char *output, *picture, *world, *table, *shard, *soil, *save;
  cliCluster cluster;
  cliAllowed allowed;
} MapOptions;

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(MapOptions, output),
     "write all cells: .tif a GeoTIFF, .asc an ASCII grid for each band; of merge the database"},
    {"picture", 'p', CLI_TEXT, "FILE", 0, 0, offsetof(MapOptions, picture),
     "draw the map into .png, .svg or .pdf"},
    {"world", 0, CLI_TEXT, "FILE.xml", 0, 0, offsetof(MapOptions, world),
     "write a world for rut view: the ground in the colours of the speeds"},
    {"table", 0, CLI_TEXT, "FILE.db", 0, 0, offsetof(MapOptions, table),
     "database of the simulations (default: MAP.db, or MAP.K-of-N.db of a shard)"},
    {"workers", 'j', CLI_INTEGER, "N", 1, 1024, offsetof(MapOptions, workers),
     "threads; results are the same for any number (default: one per core)"},
    {"resume", 'r', CLI_FLAG, "", 0, 0, offsetof(MapOptions, resume),
     "go on with a table that is not complete"},
    {"shard", 0, CLI_TEXT, "K/N", 0, 0, offsetof(MapOptions, shard),
     "simulate part K of N of the table only, into a database of its own"},
    {"dry-run", 'n', CLI_FLAG, "", 0, 0, offsetof(MapOptions, dry_run),
     "tell what would be simulated, or write the scripts for Slurm only"},
    CLI_CLUSTER_OPTIONS(MapOptions, cluster),
    {"soil", 0, CLI_TEXT, "SOIL", 0, 0, offsetof(MapOptions, soil),
     "of DEM and VEHICLE: type or preset of soil (default: hard ground)"},
    {"strength", 0, CLI_NUMBER, "SI", 1e-6, 1e12, offsetof(MapOptions, strength),
     "of this soil everywhere: its cone index [Pa], or friction of hard ground"},
    {"variation", 0, CLI_NUMBER, "SHARE", 0, 10, offsetof(MapOptions, variation),
     "coefficient of variation of this strength (default 0)"},
    {"sight", 0, CLI_NUMBER, "M", 0.1, 1e6, offsetof(MapOptions, sight),
     "recognition distance everywhere [m] (default: no limit)"},
    {"save", 0, CLI_TEXT, "FILE.xml", 0, 0, offsetof(MapOptions, save),
     "map file that is made of DEM and VEHICLE (default: the name of DEM with _map.xml)"},
    {"json", 0, CLI_FLAG, "", 0, 0, offsetof(MapOptions, json),
     "print the statistics as one JSON object"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(MapOptions, quiet),
     "no progress, no warnings, no tables"},
    CLI_ALLOW_OPTIONS(MapOptions, allowed),
};

static volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static bool go_on(int done, int points, void* user) {
  cliProgress* progress = user;
  progress->total = points;
  cli_progress_update(progress, done);
  return !interrupted;
}

// ---- a map file of a command line ----

static void put_file(FILE* out, const char* dem, const char* vehicle, const MapOptions* o) {
  fputs("<map dem=\"", out);
  cli_put_attribute(dem, out);
  fputs("\" vehicle=\"", out);
  cli_put_attribute(vehicle, out);
  if (o->soil) fputs("\" soil=\"", out);
  if (o->soil) cli_put_attribute(o->soil, out);
  fputs("\">\n", out);
  if (isfinite(o->strength)) {
    fprintf(out, "  <layer type=\"strength\" value=\"%.17g\" variation=\"%.17g\"/>\n", o->strength,
            o->variation);
  }
  if (isfinite(o->sight)) {
    fprintf(out, "  <layer type=\"sight\" value=\"%.17g m\"/>\n", o->sight);
  }
  fputs("</map>\n", out);
}

// Whether a file has this text.
static bool is_same(const char* path, const char* text, size_t size) {
  rutError err = {0};
  FILE* in = rut_file_open(path, &err);
  if (!in) return false;
  bool same = true;
  for (size_t i = 0; i < size && same; i++) same = fgetc(in) == (unsigned char)text[i];
  same = same && fgetc(in) == EOF;
  fclose(in);
  return same;
}

static int save_file(const char* path, const char* text, size_t size) {
  if (is_same(path, text, size)) return CLI_GO_ON;
  if (access(path, F_OK) == 0) {
    return cli_usage_error(&cli_verb_map,
                           "'%.200s' is there and says something else: run it (rut map FILE), "
                           "remove it, or give another --save",
                           path);
  }
  rutOutput* output = NULL;
  rutError err = {0};
  rutStatus status = rut_output_create(path, &output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  FILE* out = fopen(rut_output_part(output), "w");
  bool ok = out && fwrite(text, 1, size, out) == size;
  if (out) ok = fclose(out) == 0 && ok;
  status = rut_output_close(output, ok, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (ok) return CLI_GO_ON;
  fprintf(stderr, "rut: error: cannot write '%.200s'\n", path);
  return CLI_IO;
}

// Full name of a file; its folder may be read.
static int locate(const char* path, char out[CLI_MAP_PATH], cliAllowed* allowed, char** folder) {
  char* full = realpath(path, NULL);
  if (!full || strlen(full) >= CLI_MAP_PATH) {
    free(full);
    fprintf(stderr, "rut: error: there is no file '%.200s'\n", path);
    return CLI_IO;
  }
  snprintf(out, CLI_MAP_PATH, "%s", full);
  *strrchr(full, '/') = '\0';
  *folder = full;
  if (allowed->dir.n < CLI_LIST_SIZE) allowed->dir.item[allowed->dir.n++] = full[0] ? full : "/";
  return CLI_GO_ON;
}

static int make_file(MapOptions* o, const cliList* arguments, char path[CLI_MAP_PATH],
                     char* folder[2]) {
  char dem[CLI_MAP_PATH], vehicle[CLI_MAP_PATH];
  int code = locate(arguments->item[0], dem, &o->allowed, &folder[0]);
  if (code == CLI_GO_ON) code = locate(arguments->item[1], vehicle, &o->allowed, &folder[1]);
  if (code != CLI_GO_ON) return code;
  const char* base = cli_base_name(arguments->item[0]);
  snprintf(path, CLI_MAP_PATH, "%.*s_map.xml", (int)strcspn(base, "."), base);
  if (o->save) snprintf(path, CLI_MAP_PATH, "%s", o->save);
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (!out) return CLI_IO;
  put_file(out, dem, vehicle, o);
  if (fclose(out) != 0) return CLI_IO;
  code = save_file(path, text, size);
  free(text);
  return code;
}

// ---- the table ----

// A part of a table makes no map.
static bool is_part(const cliShard* shard) { return shard->shards > 1 || shard->rank; }

// Points that the table has not are simulated.
static int tell_plan(const cliMap* map, const MapOptions* o, const char* table,
                     const cliShard* shard) {
  const rutMapInfo info = rut_map_info(map->map);
  const int of_shard = (info.points - shard->shard + shard->shards - 1) / shard->shards;
  if (o->json) {
    cliJson json;
    cli_json_init(&json, stdout);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "map", info.name);
    cli_json_integer(&json, "points", info.points);
    cli_json_integer(&json, "done", info.done);
    cli_json_integer(&json, "shard_points", of_shard);
    cli_json_text(&json, "table", table);
    cli_json_end(&json);
  } else {
    printf("%d points: %d on planes (%d grades x %d side slopes x %d strengths), %d trials\n",
           info.points, info.planes, info.grades, info.sides, info.strengths,
           info.points - info.planes);
    if (shard->shards > 1) printf("%d in this shard; ", of_shard);
    printf("%d are known; results go to %s\n", info.done, table);
  }
  return CLI_DONE;
}

// A table that is there. A process that was killed at once leaves an empty file.
static int read_table(cliMap* map, const char* table, bool resume) {
  struct stat file;
  rutError err = {0};
  if (stat(table, &file) != 0 || (resume && file.st_size == 0)) return CLI_GO_ON;
  const rutStatus status = rut_map_open_table(map->map, table, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_tell_failure(status, &err);
}

static int simulate(cliMap* map, const MapOptions* o, const char* table, const cliShard* shard) {
  rutError err = {0};
  const rutMapInfo info = rut_map_info(map->map);
  // a complete table needs nothing
  if (info.done == info.points) return CLI_GO_ON;
  cliProgress progress;
  rutMapWork work = rut_default_map_work();
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  work.path = table;
  // ranks are as many as there are cores
  const int most = shard->rank || cores < 1 ? 1 : (int)cores;
  work.workers = o->workers > 0 ? (int)o->workers : most;
  work.shard = shard->shard;
  work.shards = shard->shards;
  work.resume = o->resume;
  work.go_on = go_on;
  work.user = &progress;
  cli_progress_begin(&progress, info.points, o->quiet || (shard->rank && shard->shard > 0));
  progress.unit = "points";
  cli_catch_interrupts(interrupt);
  signal(SIGUSR1, interrupt);
  const rutStatus status = rut_map_simulate(map->map, &work, &err);
  cli_progress_end(&progress);
  if (status != RUT_OK) return cli_report_failure(&map->world.report, status, &err);
  return interrupted ? CLI_INTERRUPTED : CLI_GO_ON;
}

// ---- a cluster ----

static void add_word(cliList* words, const char* name, const char* value) {
  words->item[words->n++] = name;
  if (value) words->item[words->n++] = value;
}

// Shards in a job array; the job that merges their tables also makes what was asked for.
static int submit(const MapOptions* o, const char* path) {
  static cliList last;
  last.n = 0;
  if (o->output) add_word(&last, "--output", o->output);
  if (o->picture) add_word(&last, "--picture", o->picture);
  if (o->world) add_word(&last, "--world", o->world);
  if (o->json) add_word(&last, "--json", NULL);
  if (o->quiet) add_word(&last, "--quiet", NULL);
  const cliSlurm slurm = {.verb = cli_verb_map.name,
                          .input = path,
                          .database = o->table,
                          .option = "table",
                          .workers = o->workers,
                          .dry_run = o->dry_run,
                          .cluster = &o->cluster,
                          .allowed = &o->allowed,
                          .last = &last};
  return cli_slurm_submit(&slurm);
}

// ---- all of it ----

static int put_out(const cliMap* made, const MapOptions* o) {
  const rutMap* map = made->map;
  rutError err = {0};
  int code = CLI_GO_ON;
  if (o->output) {
    const rutStatus status = rut_map_save(map, o->output, &err);
    if (status != RUT_OK) return cli_tell_failure(status, &err);
  }
  if (o->picture) {
    code = cli_map_draw(map, o->picture, NULL, RUT_MAP_SIMULATION, 0.5);
    if (code != CLI_DONE) return code;
  }
  if (o->world) {
    code = cli_map_write_world(made, o->world, NULL, RUT_MAP_SIMULATION, 0.5);
    if (code != CLI_GO_ON) return code;
  }
  if (o->json) return cli_map_json(map, stdout);
  return o->quiet ? CLI_DONE : cli_map_print(map, stdout);
}

static int check_outputs(const MapOptions* o) {
  if (o->picture && !cli_gnuplot_format(o->picture)) {
    return cli_usage_error(&cli_verb_map, "--picture ends in .png, .svg or .pdf, not '%s'",
                           o->picture);
  }
  const char* end = o->output ? strrchr(o->output, '.') : NULL;
  if (o->output && (!end || (strcmp(end, ".tif") != 0 && strcmp(end, ".asc") != 0))) {
    return cli_usage_error(&cli_verb_map, "--output ends in .tif or .asc, not '%s'", o->output);
  }
  return cli_map_check_world(&cli_verb_map, o->world);
}

static int read_shard(const MapOptions* o, cliShard* shard) {
  int code = cli_cluster_check(&cli_verb_map, &o->cluster, o->shard);
  if (code == CLI_GO_ON) code = cli_shard_read(&cli_verb_map, o->shard, o->cluster.mpi, shard);
  if (code != CLI_GO_ON || !is_part(shard) || !(o->output || o->picture || o->world)) return code;
  return cli_usage_error(&cli_verb_map,
                         "--output, --picture and --world are of a whole table: merge those of "
                         "the shards first");
}

static int make_map(MapOptions* o, const char* path) {
  cliMap map = {.map = NULL};
  char table[CLI_MAP_PATH];
  cliShard shard;
  int code = read_shard(o, &shard);
  if (code == CLI_GO_ON) code = check_outputs(o);
  if (code == CLI_GO_ON) code = cli_shard_path(&shard, o->table, path, table, sizeof table);
  if (code != CLI_GO_ON) return code;
  code = cli_map_open(&map, path, &o->allowed, o->quiet || (shard.rank && shard.shard > 0));
  if (code == CLI_GO_ON && o->cluster.slurm) code = submit(o, path);
  if (code == CLI_GO_ON) code = read_table(&map, table, o->resume);
  if (code == CLI_GO_ON && o->dry_run) code = tell_plan(&map, o, table, &shard);
  if (code == CLI_GO_ON) code = simulate(&map, o, table, &shard);
  if (code == CLI_GO_ON) code = is_part(&shard) ? CLI_DONE : put_out(&map, o);
  cli_map_close(&map);
  return code;
}

static int merge(const MapOptions* o, const cliList* files) {
  rutError err = {0};
  int missing = 0;
  if (files->n < 2 || !o->output) {
    return cli_usage_error(&cli_verb_map, "merge needs databases and --output FILE.db");
  }
  for (int i = 1; i < files->n; i++) {
    if (strcmp(files->item[i], o->output) != 0) continue;
    return cli_usage_error(&cli_verb_map, "'%s' is read and cannot be the output", o->output);
  }
  const rutStatus status = rut_map_merge(files->n - 1, files->item + 1, o->output, &missing, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (missing > 0 && !o->quiet) fprintf(stderr, "rut: warning: %d points are missing\n", missing);
  return missing > 0 ? CLI_SHORT : CLI_DONE;
}

static int run_map(int argc, char** argv) {
  static MapOptions option;
  cliList arguments;
  option = (MapOptions){.strength = (double)NAN, .sight = (double)NAN};
  const int code = cli_parse(&cli_verb_map, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (strcmp(arguments.item[0], "merge") == 0) return merge(&option, &arguments);
  if (arguments.n > 2) {
    return cli_usage_error(&cli_verb_map, "a map file, or DEM and VEHICLE; '%s' is one too many",
                           arguments.item[2]);
  }
  if (arguments.n == 1) {
    if (option.soil || option.save || isfinite(option.strength) || isfinite(option.sight)) {
      return cli_usage_error(&cli_verb_map,
                             "--soil, --strength, --sight and --save go with DEM and VEHICLE; a "
                             "map file says them itself");
    }
    return make_map(&option, arguments.item[0]);
  }
  if (option.cluster.mpi) {
    return cli_usage_error(&cli_verb_map,
                           "ranks share a map file: rut map DEM VEHICLE --dry-run makes it first");
  }
  char path[CLI_MAP_PATH];
  char* folder[2] = {NULL, NULL};
  const int made = make_file(&option, &arguments, path, folder);
  const int done = made == CLI_GO_ON ? make_map(&option, path) : made;
  free(folder[0]);
  free(folder[1]);
  return done;
}

const cliVerb cli_verb_map = {
    .name = "map",
    .arguments = "MAP | DEM VEHICLE | merge DB...",
    .min_arguments = 1,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "map where a vehicle can go on an elevation model, how fast, and why not",
    .details =
        "MAP is a map file: rut doc map and rut doc layer explain it. DEM and VEHICLE, an\n"
        "elevation model and a vehicle or a world, make a simple one. A table of simulations on\n"
        "planes is kept in a database, which --resume goes on with after an interruption; parts\n"
        "of it may be simulated anywhere, and merge makes one of them, with the same bytes "
        "however\n"
        "they were distributed. The rest takes seconds.",
    .examples =
        "  rut map worlds/mobility/valley.xml -p valley.png\n"
        "  rut map dem.tif worlds/vehicles/hmmwv.xml --soil sand --strength 6e5 -o map.tif\n"
        "  rut map valley.xml --shard 2/3\n"
        "  rut map merge valley.*-of-3.db -o valley.db\n"
        "  mpirun -n 16 rut map valley.xml --mpi --resume\n"
        "  rut map valley.xml --slurm --tasks 64 -o valley.tif",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_map,
};
