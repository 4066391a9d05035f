// SPDX-License-Identifier: BSD-3-Clause
#include "seed.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "json.h"

// Rows of the .def files.
#define BENCH(place, quantity, unit, theirs, tolerance, bench, type, settings, at, output, note) \
  {place, quantity, unit, theirs, NULL, tolerance, {bench, type, settings, at, output},          \
   NULL,  0,        NULL, 0,      note},
#define CONSTANT(place, quantity, unit, theirs, tolerance, equation, index, bench, type, settings, \
                 at, output, note)                                                                 \
  {place,     quantity, unit, theirs, NULL, tolerance, {bench, type, settings, at, output},        \
   &equation, index,    NULL, 0,      note},
#define RUN(place, quantity, unit, theirs, tolerance, function, argument, note)          \
  {place, quantity, unit,     theirs,   NULL, tolerance, {NULL, NULL, NULL, NULL, NULL}, \
   NULL,  0,        function, argument, note},
#define NONE(place, quantity, words, note) \
  {place, quantity, "", 0, words, 0, {NULL, NULL, NULL, NULL, NULL}, NULL, 0, NULL, 0, note},

static const cliSeedRow mavs[] = {
#include "seed_mavs.def"
};
static const cliSeedRow mvsim[] = {
#include "seed_mvsim.def"
};
static const cliSeedRow roams[] = {
#include "seed_roams.def"
};
static const cliSeedRow virtualbotz[] = {
#include "seed_virtualbotz.def"
};

static const cliSeedDocument documents[] = {
    {"mavs", "MAVS: the tyre update and the vehicle-terrain interface", mavs, CLI_COUNT(mavs)},
    {"mvsim", "MVSim: world files, friction, vehicle models, controllers", mvsim, CLI_COUNT(mvsim)},
    {"roams", "ROAMS: mobility testbed for unmanned ground vehicles", roams, CLI_COUNT(roams)},
    {"virtualbotz", "VirtualBotz 3D: simulator of robots in rough terrain", virtualbotz,
     CLI_COUNT(virtualbotz)},
};

const cliSeedDocument* cli_seed_documents(int* n) {
  *n = CLI_COUNT(documents);
  return documents;
}

// ---- numbers ----

// The constant k with which a formula gives `value`, the others as printed: a secant from 10 %
// either side.
static double constant_of(const cliSeedFormula* formula, int k, double value) {
  enum { MOST = 16, PASSES = 60 };
  double c[MOST];
  memcpy(c, formula->printed, (size_t)formula->constants * sizeof *c);
  const double printed = c[k];
  double x[2] = {0.9 * printed, 1.1 * printed}, f[2];
  for (int i = 0; i < 2; i++) {
    c[k] = x[i];
    f[i] = formula->value(c) - value;
  }
  for (int pass = 0; pass < PASSES && f[1] != f[0]; pass++) {
    const double next = x[1] - f[1] * (x[1] - x[0]) / (f[1] - f[0]);
    x[0] = x[1];
    f[0] = f[1];
    x[1] = c[k] = next;
    f[1] = formula->value(c) - value;
  }
  return x[1];
}

static double number_of(cliSeed* seed, const cliSeedRow* row) {
  if (row->words) return (double)NAN;
  cli_world_unload(&seed->lab.world);
  seed->lab.failed = false;
  double value;
  if (row->run) {
    value = row->run(seed, row->argument);
  } else {
    char gives[64];
    (void)snprintf(gives, sizeof gives, "%s=%.17g", row->law.gives, row->theirs);
    cliLawRow law = row->law;
    law.gives = gives;
    value = cli_law_run(&seed->lab, &law, 1).value;
    if (row->formula) value = constant_of(row->formula, row->constant, value);
  }
  return seed->lab.failed ? (double)NAN : value;
}

// Over theirs, or absolute where that is 0.
static double difference_of(const cliSeedRow* row, double ours) {
  const double error = ours - row->theirs;
  return row->theirs != 0 ? error / fabs(row->theirs) : error;
}

// What needs not agree may be missing, such as what another build has.
static bool agrees(const cliSeedRow* row, double ours) {
  if (row->words || !(row->tolerance > 0)) return true;
  return fabs(difference_of(row, ours)) <= row->tolerance;
}

// ---- output ----

static void print_difference(const cliSeedRow* row, double ours) {
  const double d = difference_of(row, ours);
  char text[32];
  if (row->words) {
    (void)snprintf(text, sizeof text, "none");
  } else if (fabs(d) < 5e-13) {
    (void)snprintf(text, sizeof text, "0");
  } else {
    (void)snprintf(text, sizeof text, row->theirs != 0 ? "%+.2g %%" : "%+.2g",
                   row->theirs != 0 ? 100 * d : d);
  }
  printf("%-11s  ", text);
}

static void print_row(const cliSeedRow* row, double ours, int place, int quantity) {
  printf("%-4s  %-*s  %-*s  ", row->tolerance > 0 ? (agrees(row, ours) ? "same" : "FAIL") : "",
         place, row->place, quantity, row->quantity);
  if (row->words) {
    printf("%-24s  ", row->words);
  } else {
    printf("%11.6g %11.6g  ", row->theirs, ours);
  }
  print_difference(row, ours);
  printf("%-6s  %s\n", row->unit, row->note);
}

static int width_of(const cliSeedDocument* d, size_t member) {
  size_t most = 0;
  for (int i = 0; i < d->rows; i++) {
    const char* text;
    memcpy(&text, (const char*)&d->row[i] + member, sizeof text);
    if (strlen(text) > most) most = strlen(text);
  }
  return (int)most;
}

static void json_row(cliJson* json, const cliSeedDocument* d, const cliSeedRow* row, double ours) {
  cli_json_object(json, NULL);
  cli_json_text(json, "document", d->name);
  cli_json_text(json, "place", row->place);
  cli_json_text(json, "quantity", row->quantity);
  if (row->words) {
    cli_json_text(json, "theirs", row->words);
  } else {
    cli_json_number(json, "theirs", row->theirs);
    cli_json_number(json, "ours", ours);
    cli_json_number(json, "difference", ours - row->theirs);
    cli_json_text(json, "unit", row->unit);
    if (row->tolerance > 0) cli_json_number(json, "tolerance", row->tolerance);
    if (row->tolerance > 0) cli_json_bool(json, "agrees", agrees(row, ours));
  }
  cli_json_text(json, "note", row->note);
  cli_json_end(json);
}

typedef struct Count {
  int rows, held, failed, none;
} Count;

static void count_row(const cliSeedRow* row, double ours, Count* count) {
  count->rows++;
  count->none += row->words != NULL;
  count->held += row->tolerance > 0;
  count->failed += !agrees(row, ours);
}

int cli_seed_print(bool json) {
  cliSeed seed = {0};
  Count count = {0};
  cliJson list;
  if (cli_world_open(&seed.lab.world, stderr, 1, 0) != CLI_GO_ON) return CLI_IO;
  seed.lab.world.report.quiet = true;
  if (json) {
    cli_json_init(&list, stdout);
    cli_json_array(&list, NULL);
  }
  for (int k = 0; k < CLI_COUNT(documents); k++) {
    const cliSeedDocument* d = &documents[k];
    const int place = width_of(d, offsetof(cliSeedRow, place));
    const int quantity = width_of(d, offsetof(cliSeedRow, quantity));
    if (!json) {
      printf("%s\n\n      %-*s  %-*s  %11s %11s  %-11s  %-6s  %s\n", d->title, place, "place",
             quantity, "quantity", "theirs", "ours", "difference", "unit", "note");
    }
    for (int i = 0; i < d->rows; i++) {
      const double ours = number_of(&seed, &d->row[i]);
      count_row(&d->row[i], ours, &count);
      if (json) {
        json_row(&list, d, &d->row[i], ours);
      } else {
        print_row(&d->row[i], ours, place, quantity);
      }
    }
    if (!json) printf("\n");
  }
  cli_world_close(&seed.lab.world);
  if (json) cli_json_end(&list);
  if (!json) {
    printf("%d rows: %d must agree, %d of them do not; %d without a number of ours\n", count.rows,
           count.held, count.failed, count.none);
  }
  return count.failed ? CLI_SHORT : CLI_DONE;
}
