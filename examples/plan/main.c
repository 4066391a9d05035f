// SPDX-License-Identifier: BSD-3-Clause
//
// A car leaves a yard by its gate, after a search for the manoeuvre; then the gate is closed.
#include <rut/plan.h>
#include <stdio.h>

enum { WIDTH = 120, HEIGHT = 80, WALL = 60 };
static uint16_t cost[HEIGHT * WIDTH];  // cells of 0.25 m

// A wall across the yard, with a gate in it.
static void build(int gate) {
  for (int i = 0; i < HEIGHT * WIDTH; i++) {
    const int x = i % WIDTH, y = i / WIDTH;
    cost[i] = x == WALL && (y < HEIGHT / 2 || y >= HEIGHT / 2 + gate) ? 0 : 1;
  }
}

int main(void) {
  const rutPlanGround ground = {.grid = {WIDTH, HEIGHT, cost, false}, .resolution = 0.25};
  const rutPlanCar car = rut_default_plan_car();
  const rutPlanPose from = {5, 4, 0}, to = {26, 14, 0};
  rutPlanHybrid* search = NULL;
  rutPlanPath path;
  rutError error = {.message = ""};
  rutStatus status = rut_plan_hybrid_create(&car, &ground, &search, &error);
  for (int gate = 14; gate >= 0 && status == RUT_OK; gate -= 14) {
    build(gate);
    status = rut_plan_hybrid_ground(search, &ground, &error);
    if (status == RUT_OK) status = rut_plan_hybrid_find(search, &from, &to, &path, &error);
    if (status != RUT_OK) break;
    if (path.answer != RUT_PLAN_FOUND) {
      printf("gate of %.1f m: no way\n", gate * ground.resolution);
      continue;
    }
    static rutPlanPoint point[1000];
    static double work[3000], speed[1000];
    const rutPlanSampling sampling = {from, path.pieces, path.piece, 0.25};
    const rutPlanLimits limits = rut_default_plan_limits();
    const int n = rut_plan_sample(&sampling, 1000, point);
    if (n > 1000) break;
    const double time = rut_plan_point_speeds(n, point, &limits, work, speed, NULL);
    printf("gate of %.1f m: %.1f m in %.1f s, gear changes: %d\n", gate * ground.resolution,
           path.length, time, path.gear_changes);
  }
  rut_plan_hybrid_destroy(search);
  if (status != RUT_OK) fprintf(stderr, "%s\n", error.message);
  return status != RUT_OK;
}
