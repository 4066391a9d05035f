// SPDX-License-Identifier: BSD-3-Clause
//
// Tyre property files of MF-Tyre 6.1 and 6.2 (Besselink, Schmeitz and Pacejka, Vehicle System
// Dynamics 48, 2010), whose law is that of PAC2002 with more terms.
#ifndef RUT_FORMAT_TIR_MF6_H
#define RUT_FORMAT_TIR_MF6_H

#include "format/tir.h"

// Coefficients that PAC2002 has not.
// clang-format off
#define RUT_TIR_MF6_LIST(X) \
  X(pky4) X(pky5) X(pky6) X(pky7) X(pey5) X(ppy5) X(rbx3) X(rby4) X(qbz6) X(qdz10) X(qdz11) \
  X(qsx12) X(qsx13) X(qsx14) X(ppz1) X(ppz2) X(ppmx1) X(q_fz1) X(q_fz2) X(q_v1) X(q_v2) \
  X(q_re0) X(q_fcx) X(q_fcy) X(q_fcy2) X(q_cam) X(q_cam1) X(q_cam2) X(q_cam3) X(q_fys1) \
  X(q_fys2) X(q_fys3) X(pcfx1) X(pcfx2) X(pcfx3) X(pcfy1) X(pcfy2) X(pcfy3) X(pcmz1) \
  X(mc_contour_a) X(mc_contour_b) X(q_ra1) X(q_ra2) X(q_rb1) X(q_rb2)
// clang-format on
enum {
#define X(name) RUT_TIR_MF6_##name,
  RUT_TIR_MF6_LIST(X)
#undef X
      RUT_TIR_MF6_KEYS
};

typedef struct rutTirMf6 {
  bool is;         // the file is of MF-Tyre 6
  rutPlace place;  // where it says so
  bool given[RUT_TIR_MF6_KEYS];
  double number[RUT_TIR_MF6_KEYS];
} rutTirMf6;

// Index of a key, in small letters or not; -1 if it is none of these.
int rut_tir_mf6_key(const char* key);
// Bring the coefficients of a file to those of PAC2002, as far as they have the same effect, and
// note those that have none. The signs are those of the file. See docs/manual/suspensions.md.
void rut_tir_mf6_settle(const rutTirMf6* mf6, const rutComponent* type, rutReporter* reporter,
                        rutTir* tir);

#endif  // RUT_FORMAT_TIR_MF6_H
