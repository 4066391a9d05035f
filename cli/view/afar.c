// SPDX-License-Identifier: BSD-3-Clause
#include "view/afar.h"

#include <stdio.h>

#include "cli.h"
#include "scene/driver.h"
#include "scene/replaced.h"

static const char ELEMENT[] = "teleoperation";

// Options in the order of their rows, and what they set; those of one channel come after those of
// both.
static const struct {
  const char *name, *field, *also;
} options[VIEW_AFAR_OPTIONS] = {
    {"--latency", "video_latency", "command_latency"},
    {"--jitter", "video_jitter", "command_jitter"},
    {"--loss", "video_loss", "command_loss"},
    {"--video-latency", "video_latency", NULL},
    {"--video-jitter", "video_jitter", NULL},
    {"--video-loss", "video_loss", NULL},
    {"--frame-rate", "frame_rate", NULL},
    {"--command-latency", "command_latency", NULL},
    {"--command-jitter", "command_jitter", NULL},
    {"--command-loss", "command_loss", NULL},
    {"--command-rate", "command_rate", NULL},
};

const char* view_afar_asked(const viewAfar* afar) {
  for (int i = 0; i < VIEW_AFAR_OPTIONS; i++) {
    if (afar->text[i]) return options[i].name;
  }
  return NULL;
}

// Set what the options say; *which is the option that failed.
static rutStatus set_fields(const viewAfar* afar, rutSpec* spec, rutNode node, int* which,
                            rutError* err) {
  const rutPlace nowhere = {NULL, 0, 0};
  rutStatus status = RUT_OK;
  for (int i = 0; i < VIEW_AFAR_OPTIONS && status == RUT_OK; i++) {
    const char* field[2] = {options[i].field, options[i].also};
    for (int k = 0; afar->text[i] && k < 2 && field[k] && status == RUT_OK; k++) {
      *which = i;
      // it no longer comes from where the file has it
      rut_node_place(spec, node, field[k], nowhere);
      status = rut_node_set(spec, node, field[k], afar->text[i], err);
    }
  }
  return status;
}

// The element of a controller, made if it has none.
static rutNode element_of(rutSpec* spec, rutNode controller, rutError* err) {
  const rutNode node = rut_node_first(spec, controller, ELEMENT);
  return rut_node_is_null(node) ? rut_spec_add(spec, controller, ELEMENT, "", "", err) : node;
}

// On a controller of no world.
int view_afar_check(const cliVerb* verb, const viewAfar* afar) {
  if (!view_afar_asked(afar)) return CLI_GO_ON;
  rutContextDef def = rut_default_context();
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutError err = {0};
  int which = 0, code = CLI_GO_ON;
  rutStatus status = rut_context_create(&def, &context, &err);
  if (status == RUT_OK) status = rut_spec_create(context, &spec, &err);
  if (status == RUT_OK) {
    const rutNode vehicle = rut_spec_add(spec, rut_spec_root(spec), "vehicle", "", "", &err);
    const rutNode controller = rut_spec_add(spec, vehicle, "controller", "twist_ideal", "", &err);
    status = set_fields(afar, spec, element_of(spec, controller, &err), &which, &err);
  }
  if (status != RUT_OK) {
    code = cli_usage_error(verb, "%s %s: %s", options[which].name, afar->text[which], err.message);
  }
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return code;
}

static rutStatus give(const viewAfar* afar, rutSpec* spec, rutNode controller, rutError* err) {
  int which;
  const rutNode node = element_of(spec, controller, err);
  if (rut_node_is_null(node)) return err->status != RUT_OK ? err->status : RUT_ERR_MODEL;
  return set_fields(afar, spec, node, &which, err);
}

static void note(cliWorld* world, const char* format, const char* what) {
  char message[256];
  snprintf(message, sizeof message, format, what);
  const rutDiagnostic finding = {
      .level = RUT_NOTE, .file = "", .element = "", .message = message, .hint = ""};
  cli_report_finding(&finding, &world->report);
}

int view_afar_give(cliWorld* world, const viewAfar* afar) {
  const char* asked = view_afar_asked(afar);
  if (!asked) return CLI_GO_ON;
  rutError err = {0};
  rutStatus status = RUT_OK;
  int given = 0;
  rutNode vehicle = rut_node_first(world->spec, rut_spec_root(world->spec), "vehicle");
  for (; !rut_node_is_null(vehicle) && status == RUT_OK;
       vehicle = rut_node_next(world->spec, vehicle, "vehicle")) {
    if (!view_drivable(world->spec, vehicle)) continue;
    const rutNode afar_one = view_replaced_afar(world->spec, vehicle);
    const rutNode driver =
        rut_node_is_null(afar_one) ? view_replaced_driver(world->spec, vehicle) : afar_one;
    if (rut_node_is_null(driver)) continue;
    status = give(afar, world->spec, driver, &err);
    given++;
  }
  if (status == RUT_OK && given == 0) {
    note(world, "no vehicle of this world has a <controller> that a page drives, for %s", asked);
  }
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}
