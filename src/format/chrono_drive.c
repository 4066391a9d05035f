// SPDX-License-Identifier: BSD-3-Clause
//
// Driveline, engine and transmission of Chrono to a <drive>. Chrono's ratios are of output to input
// speed, rut's the inverse.
#include <string.h>

#include "format/chrono.h"

static const double RPM = 0.10471975511965977;
static const double NO_INERTIA = 1e-3;  // of shafts that a simple part has not [kg m2]

typedef struct Maker {
  rutChrono* chrono;
  const rutChronoTrain* train;
  rutNode drive;
} Maker;

static void set(const Maker* m, rutChronoPart* part, const char* field, double value) {
  rut_json_set(&part->maker, m->drive, field, value, rut_chrono_place(part, NULL));
}

static void set_text(const Maker* m, rutChronoPart* part, const char* field, const char* text) {
  rut_json_set_text(&part->maker, m->drive, field, text, rut_chrono_place(part, NULL));
}

static void set_list(const Maker* m, rutChronoPart* part, const char* field, int n,
                     const double* value) {
  rut_json_set_list(&part->maker, m->drive, field, n, value, rut_chrono_place(part, NULL));
}

static bool is(const rutChronoPart* part, const char* name) {
  return strcmp(part->template_name, name) == 0;
}

// ---- engine ----

static bool set_map(const Maker* m, rutChronoPart* part, const char* key, const char* speeds,
                    const char* torques) {
  rutChronoCurve curve;
  double speed[RUT_CHRONO_MAX_POINTS];
  if (!rut_chrono_curve(part, part->root, key, &curve)) return false;
  for (int i = 0; i < curve.n; i++) speed[i] = RPM * curve.x[i];
  set_list(m, part, speeds, curve.n, speed);
  set_list(m, part, torques, curve.n, curve.y);
  return true;
}

// Torque up to a power, which holds from there on, as points.
static void set_simple(const Maker* m, rutChronoPart* part) {
  enum { N = 32 };
  double speed[N], torque[N];
  const double zero[2] = {0, 0}, far[2] = {0, 1e4};
  const double most = rut_chrono_number(part, part->root, "Maximum Engine Torque", 300, 1e-3);
  const double power = rut_chrono_number(part, part->root, "Maximum Engine Power", 1e5, 1e-3);
  const double end = rut_chrono_number(part, part->root, "Maximum Engine Speed", 1e4, 1e-3);
  const double corner = power / most, last = rut_clamp(end, 1, 9e4);
  int n = 0;
  speed[n] = 0;
  torque[n++] = most;
  const double from = rut_min(corner, 0.99 * last);
  const double step = rut_pow(last / from, 1.0 / (N - 4));
  double w = from;
  while (n < N - 2) {
    speed[n] = w;
    torque[n++] = rut_min(most, power / w);
    w *= step;
  }
  speed[n] = speed[n - 1] * (1 + 1e-3);
  torque[n++] = 0;
  set_list(m, part, "full_speed", n, speed);
  set_list(m, part, "full_torque", n, torque);
  set_list(m, part, "drag_speed", 2, far);
  set_list(m, part, "drag_torque", 2, zero);
  set_text(m, part, "full_load", "brake");
  set(m, part, "max_speed", last);
}

// False if it is none that rut has.
static bool set_engine(const Maker* m, rutChronoPart* part) {
  if (is(part, "EngineShafts")) {
    return set_map(m, part, "Torque Map", "full_speed", "full_torque") &&
           set_map(m, part, "Losses Map", "drag_speed", "drag_torque");
  }
  if (is(part, "EngineSimpleMap")) {
    if (!set_map(m, part, "Map Full Throttle", "full_speed", "full_torque") ||
        !set_map(m, part, "Map Zero Throttle", "drag_speed", "drag_torque"))
      return false;
    set_text(m, part, "full_load", "brake");
    set(m, part, "max_speed",
        rut_clamp(RPM * rut_chrono_number(part, part->root, "Maximal Engine Speed RPM", 1e5, 0), 1,
                  1e5));
    return true;
  }
  if (!is(part, "EngineSimple")) return false;
  set_simple(m, part);
  return true;
}

// ---- transmission ----

static int read_gears(rutChronoPart* part, const rutJsonValue* box, double gear[16]) {
  const rutJsonValue* list =
      rut_json_child(&part->maker, box, "Gear Box", "Forward Gear Ratios", RUT_JSON_ARRAY);
  const int n = list ? list->children : 0;
  if (n < 1 || n > 16) {
    rut_json_error(&part->maker, box, "Gear Box", "needs 1 to 16 'Forward Gear Ratios'");
    return 0;
  }
  if (!rut_json_numbers(&part->maker, list, "Gear Box", n, gear)) return 0;
  for (int i = 0; i < n; i++) {
    if (!(gear[i] > 1e-3 && gear[i] < 1e3) || (i > 0 && gear[i] <= gear[i - 1])) {
      rut_json_error(&part->maker, list, "Gear Box",
                     "ratios of output to input speed must rise, from 0.001 to 1000");
      return 0;
    }
  }
  for (int i = 0; i < n; i++) gear[i] = 1 / gear[i];
  return n;
}

// Speeds at which it shifts: pairs down, up of each gear, or two for all.
static void set_shifts(const Maker* m, rutChronoPart* part, const rutJsonValue* box, int gears) {
  const rutJsonValue* list = rut_json_find(box, "Shift Points Map RPM");
  double up[16], down[16], row[2];
  int n = 0;
  if (!list) {
    const double high = rut_chrono_number(part, box, "Upshift RPM", 2500, 1);
    const double low = rut_chrono_number(part, box, "Downshift RPM", 0.48 * high, 0);
    set(m, part, "shift_up", RPM * high);
    set(m, part, "shift_down", RPM * low);
    set(m, part, "shift_interval",
        rut_min(rut_chrono_number(part, box, "Shift Latency", 0, 0), 1e3));
    return;
  }
  for (const rutJsonValue* item = list->first; item && n < gears; item = item->next, n++) {
    if (!rut_json_numbers(&part->maker, item, "Shift Points Map RPM", 2, row)) return;
    // of a gear: down from it into the one below, up from it into the one above
    if (n > 0) down[n - 1] = RPM * row[0];
    up[n] = RPM * row[1];
  }
  if (n < gears) {
    rut_json_error(&part->maker, list, "Gear Box", "needs a pair of speeds for each of %d gears",
                   gears);
    return;
  }
  if (gears > 1) {
    set_list(m, part, "shift_up", gears - 1, up);
    set_list(m, part, "shift_down", gears - 1, down);
  }
  set(m, part, "shift_interval", 0);
}

static void set_converter(const Maker* m, rutChronoPart* part, const rutJsonValue* object) {
  rutChronoCurve k, gain;
  double ratio[2 * RUT_CHRONO_MAX_POINTS], a[2 * RUT_CHRONO_MAX_POINTS],
      b[2 * RUT_CHRONO_MAX_POINTS];
  int n = 0, i = 0, j = 0;
  if (!rut_chrono_curve(part, object, "Capacity Factor Map", &k) ||
      !rut_chrono_curve(part, object, "Torque Ratio Map", &gain)) {
    rut_json_error(&part->maker, object, object->key,
                   "needs 'Capacity Factor Map' and 'Torque Ratio Map'");
    return;
  }
  while (i < k.n || j < gain.n) {
    const double x = j == gain.n || (i < k.n && k.x[i] <= gain.x[j]) ? k.x[i] : gain.x[j];
    if (i < k.n && k.x[i] <= x) i++;
    if (j < gain.n && gain.x[j] <= x) j++;
    ratio[n] = x;
    a[n] = rut_chrono_curve_at(&k, x);
    b[n++] = rut_chrono_curve_at(&gain, x);
  }
  set_list(m, part, "converter_ratio", n, ratio);
  set_list(m, part, "converter_capacity", n, a);
  set_list(m, part, "converter_gain", n, b);
}

static bool set_transmission(const Maker* m, rutChronoPart* part) {
  const bool shafts = is(part, "AutomaticTransmissionShafts");
  const bool manual = is(part, "ManualTransmissionShafts");
  if (!shafts && !manual && !is(part, "AutomaticTransmissionSimpleMap")) return false;
  const rutJsonValue* box = rut_chrono_object(part, part->root, "Gear Box", true);
  const rutJsonValue* converter = rut_chrono_object(part, part->root, "Torque Converter", shafts);
  double gear[16];
  const int gears = box ? read_gears(part, box, gear) : 0;
  if (gears == 0) return true;
  set_list(m, part, "gears", gears, gear);
  const double back = rut_chrono_number(part, box, "Reverse Gear Ratio", -0.1, -1e3);
  if (rut_abs(back) > 1e-3) set(m, part, "reverse", 1 / rut_abs(back));
  set_shifts(m, part, box, gears);
  set_text(m, part, "coupling", converter ? "converter" : manual ? "clutch" : "rigid");
  if (converter) set_converter(m, part, converter);
  const double inertia = rut_chrono_number(part, part->root, "Motorshaft Inertia", 0, 0);
  const double input = rut_chrono_number(part, part->root, "Input Shaft Inertia", 0, 0);
  const double output = rut_chrono_number(part, part->root, "Driveshaft Inertia", 0, 0);
  // of engine and gearbox only the gearbox's half of the shaft takes effect in Chrono
  set(m, part, "engine_inertia", rut_max(inertia, NO_INERTIA));
  set(m, part, "input_inertia", rut_max(input, NO_INERTIA));
  set(m, part, "drive_shaft_inertia", rut_max(output, NO_INERTIA));
  if (manual) {
    rut_json_warn(&part->maker, part->root, "Template",
                  "guessed: a manual gearbox shifts by itself, with a clutch that closes as the "
                  "engine speeds up");
  }
  return true;
}

// ---- driveline ----

// Ratio of the final drive, the mean of both axles'.
static void set_final_drive(const Maker* m, rutChronoPart* part) {
  static const char* const keys[] = {
      "Conical Gear",       "Front Conical Gear",       "Rear Conical Gear",
      "Conical Gear Ratio", "Front Conical Gear Ratio", "Rear Conical Gear Ratio"};
  const rutJsonValue* group = rut_chrono_object(part, part->root, "Gear Ratio", false);
  double least = 1e9, most = 0, sum = 0;
  int n = 0;
  for (int i = 0; i < RUT_COUNT_OF(keys); i++) {
    for (int k = 0; k < 2; k++) {
      const rutJsonValue* at = k ? part->root : group;
      const double ratio = rut_abs(rut_chrono_number(part, at, keys[i], 0, -1e3));
      if (!(ratio > 1e-3)) continue;
      least = rut_min(least, 1 / ratio);
      most = rut_max(most, 1 / ratio);
      sum += 1 / ratio;
      n++;
    }
  }
  if (n == 0) {
    rut_json_warn(&part->maker, part->root, "Gear Ratio",
                  "guessed: no ratio of a conical gear is known, 1 is taken");
  }
  set(m, part, "final_drive", n > 0 ? sum / n : 1);
  if (n > 1 && most - least > 0.01 * most) {
    rut_json_warn(&part->maker, part->root, "Gear Ratio",
                  "guessed: axles with the ratios %.4g to %.4g have their mean", least, most);
  }
}

static double inertia_of(rutChronoPart* part, const char* key) {
  const rutJsonValue* group = rut_chrono_object(part, part->root, "Shaft Inertia", false);
  return rut_max(rut_chrono_number(part, group, key, 0, 0), 0);
}

static void set_bias(const Maker* m, rutChronoPart* part, const char* key, const char* differential,
                     const char* field) {
  const double bias = rut_chrono_number(part, part->root, key, 0, 0);
  if (!(bias > 1)) return;
  set_text(m, part, differential, "torque_biasing");
  set(m, part, field, rut_min(bias, 100));
}

static void set_driveline(const Maker* m) {
  rutChronoPart* part = m->train->driveline;
  const rutChronoTrain* train = m->train;
  set_final_drive(m, part);
  const double box = rut_max(inertia_of(part, "Differential Box"),
                             0.5 * (inertia_of(part, "Front Differential Box") +
                                    inertia_of(part, "Rear Differential Box")));
  // the shaft behind the gearbox is one with that of the driveline
  set(m, part, "drive_shaft_inertia", rut_max(inertia_of(part, "Driveshaft"), NO_INERTIA));
  set(m, part, "front_shaft_inertia", rut_max(inertia_of(part, "Front Driveshaft"), NO_INERTIA));
  set(m, part, "rear_shaft_inertia", rut_max(inertia_of(part, "Rear Driveshaft"), NO_INERTIA));
  set(m, part, "differential_inertia", box);
  set(m, part, "half_shaft_inertia", train->half_shaft);
  set_text(m, part, "driven",
           train->front && train->rear ? "all"
           : train->front              ? "front"
                                       : "rear");
  set(m, part, "front_rear_split",
      rut_clamp(rut_chrono_number(part, part->root, "Front Torque Fraction", 0.5, 0), 0, 1));
  set_bias(m, part, "Front Differential Max Bias", "front_differential", "front_left_right_bias");
  set_bias(m, part, "Rear Differential Max Bias", "rear_differential", "rear_left_right_bias");
}

// ---- the element ----

static rutChronoPart* open_part(rutChrono* chrono, const rutJsonValue* powertrain, const char* key,
                                const char* type) {
  const rutJsonValue* value = powertrain ? rut_json_find(powertrain, key) : NULL;
  return value ? rut_chrono_open(chrono, chrono->vehicle, value, type) : NULL;
}

static void find_parts(rutChrono* chrono) {
  static const char* const engines[] = {"EngineShafts", "EngineSimpleMap", "EngineSimple"};
  static const char* const gearboxes[] = {
      "AutomaticTransmissionShafts", "AutomaticTransmissionSimpleMap", "ManualTransmissionShafts"};
  rutChronoPart* v = chrono->vehicle;
  const rutJsonValue* powertrain = rut_chrono_object(v, v->root, "Powertrain", false);
  rutChronoPart* engine = open_part(chrono, powertrain, "Engine Input File", "Engine");
  rutChronoPart* gearbox = open_part(chrono, powertrain, "Transmission Input File", "Transmission");
  if (!chrono->engine) chrono->engine = engine;
  if (!chrono->transmission) chrono->transmission = gearbox;
  if (!chrono->engine) {
    chrono->engine = rut_chrono_beside(chrono, "powertrain", "Engine", engines, 3);
  }
  if (chrono->transmission) return;
  // a converter needs an engine whose shaft turns by itself
  const bool simple = chrono->engine && !is(chrono->engine, "EngineShafts");
  chrono->transmission = rut_chrono_beside(chrono, "powertrain", "Transmission",
                                           gearboxes + (simple ? 1 : 0), simple ? 1 : 3);
}

bool rut_chrono_make_drive(rutChrono* chrono, rutNode vehicle, const rutChronoTrain* train) {
  rutChronoPart* v = chrono->vehicle;
  Maker m = {.chrono = chrono, .train = train};
  const rutPlace place = rut_chrono_place(v, NULL);
  find_parts(chrono);
  if (!train->driveline || !(train->front || train->rear)) {
    rut_json_warn(&v->maker, v->root, "Driveline", "dropped: it has no driveline, and no drive");
    return false;
  }
  if (!chrono->engine || !chrono->transmission) {
    rut_json_warn(&v->maker, v->root, "Powertrain",
                  "guessed: no file of an %s is known: each driven wheel has a motor that pulls "
                  "with its share of the weight, up to 10 m/s. Name files in 'parts'",
                  chrono->engine ? "transmission" : "engine");
    const rutNode drive = rut_json_add(&v->maker, vehicle, "drive", "direct", "", place);
    rut_json_set_text(&v->maker, drive, "driven",
                      train->front && train->rear ? "all"
                      : train->front              ? "front"
                                                  : "rear",
                      place);
    return true;
  }
  m.drive = rut_json_add(&v->maker, vehicle, "drive", "powertrain", "", place);
  rutChronoPart* parts[2] = {chrono->engine, chrono->transmission};
  for (int i = 0; i < 2; i++) {
    if (i == 0 ? set_engine(&m, parts[i]) : set_transmission(&m, parts[i])) continue;
    rut_json_error(&parts[i]->maker, parts[i]->root, "Template", "rut has no %s '%.60s'; it has %s",
                   i == 0 ? "engine" : "transmission", parts[i]->template_name,
                   i == 0 ? "EngineShafts, EngineSimpleMap and EngineSimple"
                          : "AutomaticTransmissionShafts, AutomaticTransmissionSimpleMap and "
                            "ManualTransmissionShafts");
  }
  set_driveline(&m);
  return true;
}
