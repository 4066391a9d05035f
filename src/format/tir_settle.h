// SPDX-License-Identifier: BSD-3-Clause
//
// What only the whole of a tyre property file decides: signs, and ranges that were not measured.
#ifndef RUT_FORMAT_TIR_SETTLE_H
#define RUT_FORMAT_TIR_SETTLE_H

#include "format/tir.h"

// Keys whose value counts together with others, and is checked last.
#define RUT_TIR_KEY_LIST(X) \
  X(kpumin) X(kpumax) X(alpmin) X(alpmax) X(pdx1) X(pdy1) X(pky1) X(pty2) X(use_mode)
enum {
#define X(name) RUT_TIR_##name,
  RUT_TIR_KEY_LIST(X)
#undef X
      RUT_TIR_KEYS
};

typedef struct rutTirKeys {
  int field[RUT_TIR_KEYS];  // of the component, -1 where the file does not have the key
  rutPlace place[RUT_TIR_KEYS];
  bool ellipse;  // FE_METHOD = 'YES': combined slip by the friction ellipse
} rutTirKeys;

// Bring the numbers of a file to the conventions of `type`. Errors: PARSE, reported at their place.
rutStatus rut_tir_settle(const rutTirKeys* keys, const rutComponent* type, rutReporter* reporter,
                         rutTir* tir);

#endif  // RUT_FORMAT_TIR_SETTLE_H
