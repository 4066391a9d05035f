// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of soils: a wheel that rolls steadily over a soil of a world.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law.h"

static const double DEGREE = 3.14159265358979323846 / 180;

#define IN(X)        \
  X(radius, 0.47)    \
  X(width, 0.3175)   \
  X(section, 0.2604) \
  X(load, 6500)      \
  X(stiffness, 0)    \
  X(crossover, 0.09) \
  X(slip, 0) X(angle, 0) X(pressed, 0) X(cone_index, 0) X(moisture, 0) X(soft_depth, 0)
#define OUT(X)  \
  X(sinkage)    \
  X(deflection) \
  X(rut)        \
  X(pressed)    \
  X(torque)     \
  X(traction)   \
  X(resistance) \
  X(pull) X(lateral) X(efficiency) X(limit) X(pressure) X(limits)

typedef struct SoilIn {
  IN(CLI_BENCH_IN)
} SoilIn;

// Attributes from "name=value name=value".
static void attributes(const char* settings, size_t size, char* text) {
  size_t n = 0;
  bool inside = false;
  for (const char* c = settings; *c && n + 3 < size; c++) {
    if (*c == ' ' && inside) text[n++] = '\'';
    if (*c == ' ') inside = false;
    text[n++] = *c;
    if (*c == '=') text[n++] = '\'', inside = true;
  }
  if (inside) text[n++] = '\'';
  text[n] = '\0';
}

static void run_soil(cliLab* lab, const cliLaw* law, const double* numbers, double* out) {
  const SoilIn* in = (const SoilIn*)(const void*)numbers;
  char text[600];
  attributes(law->settings, sizeof text, text);
  cli_lab_build(lab, "<world><soil name='s' type='%s' %s/></world>", law->type->name, text);
  if (lab->failed) return;
  rutSoilWheel wheel = rut_default_soil_wheel();
  wheel.radius = in->radius;
  wheel.width = in->width;
  wheel.section_height = in->section;
  wheel.load = in->load;
  wheel.stiffness = in->stiffness;
  wheel.crossover = in->crossover;
  wheel.slip = in->slip;
  wheel.slip_angle = in->angle * DEGREE;
  wheel.pressed = in->pressed;
  wheel.cone_index = in->cone_index;
  wheel.moisture = in->moisture;
  wheel.soft_depth = in->soft_depth;
  rutSoilPoint p;
  lab->failed = !rut_soil_point(lab->world.model, 0, &wheel, &p);
  const double all[] = {
      p.sinkage,        p.deflection, p.rut,           p.pressed,       p.torque,
      p.traction,       p.resistance, p.drawbar_pull,  p.lateral_force, p.efficiency,
      p.traction_limit, p.pressure,   (double)p.limits};
  memcpy(out, all, sizeof all);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_soil = {.name = "soil", .kind = "soil", CLI_BENCH_NAMES, .run = run_soil};
