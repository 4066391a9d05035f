// SPDX-License-Identifier: BSD-3-Clause
#include "momentum.h"

cliVector cli_cross(cliVector a, cliVector b) {
  return (cliVector){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                      a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
cliVector cli_add(cliVector a, double s, cliVector b) {
  return (cliVector){{a.v[0] + s * b.v[0], a.v[1] + s * b.v[1], a.v[2] + s * b.v[2]}};
}
double cli_dot(cliVector a, cliVector b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

cliVector cli_turned(const double q[4], cliVector a) {
  const cliVector u = {{q[1], q[2], q[3]}}, t = cli_cross(u, a);
  return cli_add(cli_add(a, 2 * q[0], t), 2, cli_cross(u, t));
}

static double slope(const double y[CLI_INSTANTS], double step) {
  return (y[0] - 8 * y[1] + 8 * y[3] - y[4]) / (12 * step);
}

static cliVector velocity_of(const cliTrack* t, double step) {
  cliVector v;
  for (int k = 0; k < 3; k++) {
    double y[CLI_INSTANTS];
    for (int i = 0; i < CLI_INSTANTS; i++) y[i] = t->place[i].v[k];
    v.v[k] = slope(y, step);
  }
  return v;
}

// w = 2 q' q*
static cliVector turning_of(const cliTrack* t, double step) {
  double rate[4];
  const double* q = t->quaternion[2];
  for (int k = 0; k < 4; k++) {
    double y[CLI_INSTANTS];
    for (int i = 0; i < CLI_INSTANTS; i++) {
      double same = 0;
      for (int c = 0; c < 4; c++) same += q[c] * t->quaternion[i][c];
      y[i] = same < 0 ? -t->quaternion[i][k] : t->quaternion[i][k];
    }
    rate[k] = slope(y, step);
  }
  const cliVector u = {{q[1], q[2], q[3]}}, ud = {{rate[1], rate[2], rate[3]}};
  const cliVector w = cli_add(cli_add((cliVector){{0, 0, 0}}, -rate[0], u), q[0], ud);
  const cliVector both = cli_add(w, -1, cli_cross(ud, u));
  return (cliVector){{2 * both.v[0], 2 * both.v[1], 2 * both.v[2]}};
}

// Angular momentum of a body about its own centre of mass.
static cliVector own_momentum(const cliTrack* t, cliVector w) {
  const double* q = t->quaternion[2];
  const double back[4] = {q[0], -q[1], -q[2], -q[3]}, *j = t->inertia;
  const cliVector a = cli_turned(back, w);
  const cliVector h = {{j[0] * a.v[0] + j[3] * a.v[1] + j[4] * a.v[2],
                        j[3] * a.v[0] + j[1] * a.v[1] + j[5] * a.v[2],
                        j[4] * a.v[0] + j[5] * a.v[1] + j[2] * a.v[2]}};
  return cli_turned(q, h);
}

cliMomenta cli_momenta(int bodies, const cliTrack* track, double step) {
  cliMomenta sum = {0};
  for (int b = 0; b < bodies; b++) {
    const cliVector v = velocity_of(&track[b], step);
    sum.mass += track[b].mass;
    sum.centre = cli_add(sum.centre, track[b].mass, track[b].place[2]);
    sum.linear = cli_add(sum.linear, track[b].mass, v);
  }
  sum.centre = cli_add((cliVector){{0}}, 1 / sum.mass, sum.centre);
  for (int b = 0; b < bodies; b++) {
    const cliVector v = velocity_of(&track[b], step), w = turning_of(&track[b], step);
    const cliVector r = cli_add(track[b].place[2], -1, sum.centre);
    const cliVector own = own_momentum(&track[b], w);
    const cliVector moves = cli_add(v, -1 / sum.mass, sum.linear);
    sum.angular = cli_add(sum.angular, track[b].mass, cli_cross(r, moves));
    sum.angular = cli_add(sum.angular, 1, own);
    sum.kinetic += 0.5 * (track[b].mass * cli_dot(v, v) + cli_dot(w, own));
  }
  return sum;
}
