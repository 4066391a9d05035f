// SPDX-License-Identifier: BSD-3-Clause
#include "plot_dashboard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "plot_data.h"
#include "plot_figure.h"
#include "report.h"

enum { DASH_VEHICLES = 7 };

typedef struct Part {
  int from, to;  // curves of a panel
  bool of_one;   // of the first vehicle only
} Part;

typedef struct Dashboard {
  const char* vehicle[DASH_VEHICLES];
  int vehicles;
  int signal[CLI_PLOT_CURVES];
  int signals;
  cliFigure figure;
  cliCurve curve[CLI_PLOT_CURVES];
  Part part[CLI_PANELS];
} Dashboard;

// Is it an element with a speed over ground and a heading, and so a vehicle?
static bool is_vehicle(const rutLogFile* file, const char* element) {
  static const char* const has[] = {"speed", "yaw_rate"};
  for (int i = 0; i < CLI_COUNT(has); i++) {
    char name[512];
    snprintf(name, sizeof name, "%.400s/%s", element, has[i]);
    if (rut_log_signal_find(file, name) < 0) return false;
  }
  return element[0] != '\0';
}

static int choose_vehicles(Dashboard* d, const rutLogFile* file, const cliDashboardDef* def) {
  const int all = rut_log_info(file).signals;
  int found = 0;
  for (int i = 0; i < all; i++) {
    const rutSignal s = rut_log_signal_at(file, i);
    if (strcmp(s.leaf, "speed") != 0) continue;
    bool wanted = def->vehicles == 0;
    for (int k = 0; k < def->vehicles; k++) wanted = wanted || rut_glob(def->vehicle[k], s.element);
    if (!wanted || !is_vehicle(file, s.element)) continue;
    if (d->vehicles < DASH_VEHICLES) d->vehicle[d->vehicles++] = s.element;
    found++;
  }
  if (found > d->vehicles) {
    fprintf(stderr, "rut: note: of %d vehicles the first %d are drawn; names choose others\n",
            found, d->vehicles);
  }
  if (found > 0) return CLI_GO_ON;
  return cli_usage_error(&cli_verb_plot, "the log has no vehicle '%s' with speed and yaw_rate",
                         def->vehicles > 0 ? def->vehicle[0] : "*");
}

// A panel of signals, one name for each vehicle or a pattern within the first. Left out where there
// are none.
static void add_panel(Dashboard* d, const rutLogFile* file, int n, const char* const* leaf,
                      bool all_vehicles) {
  const int first = d->signals;
  for (int v = 0; v < (all_vehicles ? d->vehicles : 1); v++) {
    for (int i = 0; i < n; i++) {
      char pattern[512];
      snprintf(pattern, sizeof pattern, "%.300s/%s", d->vehicle[v], leaf[i]);
      for (int s = 0; s < rut_log_info(file).signals && d->signals < CLI_PLOT_CURVES; s++) {
        const char* name = rut_log_signal_at(file, s).name;
        if (rut_glob(pattern, name) && d->signals - first < CLI_PANEL_CURVES) {
          d->signal[d->signals++] = s;
        }
      }
    }
  }
  if (d->signals == first) return;
  d->part[d->figure.panels++] = (Part){first, d->signals, !all_vehicles};
}

// y over x of all vehicles: pairs of curves next to each other.
static void fill_map(Dashboard* d, cliPanel* p, const Part* part) {
  for (int i = part->from; i + 1 < part->to; i += 2) {
    p->versus[p->n] = &d->curve[i];
    p->curve[p->n++] = &d->curve[i + 1];
  }
  p->equal = true;
  cli_panel_label(p);
  snprintf(p->label, sizeof p->label, "y (m)");
  snprintf(p->x_label, sizeof p->x_label, "x (m)");
}

static void fill_panel(Dashboard* d, cliPanel* p, const Part* part) {
  cliCurve* all[CLI_PANEL_CURVES];
  for (int i = part->from; i < part->to; i++) {
    cli_curve_thin(&d->curve[i], CLI_PLOT_BINS / 2);
    all[p->n] = &d->curve[i];
    p->curve[p->n++] = &d->curve[i];
  }
  cli_curves_scale(p->n, all);
  cli_panel_label(p);
  if (!part->of_one || d->vehicles == 1) return;
  char label[sizeof p->label];
  memcpy(label, p->label, sizeof label);
  snprintf(p->label, sizeof p->label, "%.30s: %.60s", d->vehicle[0], label);
}

static void lay_out(Dashboard* d, const rutLogFile* file) {
  static const char* const map[] = {"x", "y"};
  static const char* const speed[] = {"speed"};
  static const char* const lateral[] = {"lateral_acceleration"};
  static const char* const attitude[] = {"roll", "pitch"};
  static const char* const yaw_rate[] = {"yaw_rate"};
  static const char* const transfer[] = {"load_transfer_ratio"};
  static const char* const loads[] = {"*/load"};
  static const char* const slips[] = {"*/slip"};
  static const char* const energy[] = {"energy_drive", "energy_kinetic", "energy_slip",
                                       "energy_rolling", "energy_brake"};
  static const char* const power[] = {"drive_power"};
  add_panel(d, file, 2, map, true);
  add_panel(d, file, 1, speed, true);
  add_panel(d, file, 1, lateral, true);
  add_panel(d, file, 2, attitude, d->vehicles == 1);
  add_panel(d, file, 1, yaw_rate, true);
  add_panel(d, file, 1, transfer, true);
  add_panel(d, file, 1, loads, false);
  add_panel(d, file, 1, slips, false);
  const int before = d->figure.panels;
  add_panel(d, file, 5, energy, false);
  if (d->figure.panels == before) add_panel(d, file, 1, power, true);
}

static bool all_zero(const cliCurve* c) {
  for (size_t i = 0; i < c->n; i++) {
    if (fabs(c->y[i]) > 1e-9) return false;
  }
  return true;
}

// Panels of constant zeros, such as the roll of planar vehicles.
static void leave_out_zeros(Dashboard* d) {
  int kept = 0;
  for (int i = 0; i < d->figure.panels; i++) {
    bool zero = true;
    const Part part = d->part[i];
    for (int k = part.from; k < part.to; k++) zero = zero && all_zero(&d->curve[k]);
    if (!zero) d->part[kept++] = part;
  }
  if (kept > 0) d->figure.panels = kept;
}

int cli_plot_dashboard(rutLogFile* file, const cliDashboardDef* def) {
  Dashboard* d = calloc(1, sizeof *d);
  rutError err = {.status = RUT_ERR_MEMORY};
  if (!d) return cli_tell_failure(RUT_ERR_MEMORY, &err);
  d->figure = (cliFigure){.path = def->output, .title = def->title, .columns = 3};
  int code = choose_vehicles(d, file, def);
  if (code == CLI_GO_ON) {
    lay_out(d, file);
    const rutLogSelection signals = {
        .n = d->signals, .index = d->signal, .from = def->from, .to = def->to};
    const rutStatus status = cli_curves_read(file, &signals, d->curve, &err);
    if (status != RUT_OK) code = cli_tell_failure(status, &err);
  }
  if (code == CLI_GO_ON) {
    leave_out_zeros(d);
    for (int i = 0; i < d->figure.panels; i++) {
      const Part* part = &d->part[i];
      const bool map = strcmp(strrchr(d->curve[part->from].name, '/'), "/x") == 0;
      (map ? fill_map : fill_panel)(d, &d->figure.panel[i], part);
    }
    code = cli_figure_draw(&d->figure);
  }
  cli_curves_free(d->signals, d->curve);
  free(d);
  return code;
}
