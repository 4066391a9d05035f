// SPDX-License-Identifier: BSD-3-Clause
//
// A world as loaded and compiled, with everything that must be freed after it.
#ifndef RUT_CLI_WORLD_H
#define RUT_CLI_WORLD_H

#include <stdint.h>

#include "options.h"
#include "report.h"
#include "rut/host.h"

typedef struct cliWorld {
  cliReport report;
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} cliWorld;

// What worlds may reach besides their own folders: options of every verb that loads worlds.
typedef struct cliAllowed {
  cliList dir, env, models;
} cliAllowed;
#define CLI_ALLOW_OPTIONS(Options, allowed)                                      \
  {"allow-dir",                                                                  \
   0,                                                                            \
   CLI_TEXTS,                                                                    \
   "DIR",                                                                        \
   0,                                                                            \
   0,                                                                            \
   offsetof(Options, allowed.dir),                                               \
   "let worlds read files in this folder and below; may be repeated"},           \
      {"models",                                                                 \
       0,                                                                        \
       CLI_TEXTS,                                                                \
       "DIR",                                                                    \
       0,                                                                        \
       0,                                                                        \
       offsetof(Options, allowed.models),                                        \
       "look here for meshes and files of https://, package:// and model://, "   \
       "and for those that are missing; may be repeated (also $RUT_MODELS)"},    \
  {                                                                              \
    "allow-env", 0, CLI_TEXTS, "VARIABLE", 0, 0, offsetof(Options, allowed.env), \
        "let worlds read this environment variable; may be repeated"             \
  }

// Create the context. Findings are printed to out. Returns CLI_GO_ON or an exit code.
int cli_world_open(cliWorld* world, FILE* out, int64_t workers, uint64_t seed);
// Allow what the options say, and the folders of RUT_MODELS, before the first world.
int cli_world_allow(cliWorld* world, const cliAllowed* allowed);
// Load plug-ins, before the first world. Returns CLI_GO_ON or an exit code.
int cli_world_plugins(cliWorld* world, const cliList* plugins);
// Another context with what the command line allows, for worlds of another seed. It reports
// nothing. The caller owns *out. Errors: MEMORY, ARGUMENT.
rutStatus cli_context_create(const cliAllowed* allowed, const cliList* plugins, int workers,
                             uint64_t seed, rutContext** out, rutError* err);
// Load a file and apply settings "path=value". Nullable: settings.
int cli_world_load(cliWorld* world, const char* path, const cliList* settings);
// Compile the spec.
int cli_world_compile(cliWorld* world);
// Make data, reset with a seed.
int cli_world_start(cliWorld* world, uint64_t seed);
// Let all sensors take their samples, or, while nobody looks, only those that cannot do without.
void cli_world_watch(cliWorld* world, bool watched);
// Free spec, model and data, so that another file can be loaded.
void cli_world_unload(cliWorld* world);
void cli_world_close(cliWorld* world);

// Whether logs that a world names are to be written to a folder. Tells why not: there are some, but
// no folder, or the other way round. Nullable: folder.
bool cli_loggers_wanted(cliWorld* world, const rutLoggers* loggers, const char* folder);

// Name of a file without its folders; part of path.
const char* cli_base_name(const char* path);

#endif  // RUT_CLI_WORLD_H
