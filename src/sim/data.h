// SPDX-License-Identifier: BSD-3-Clause
//
// What other files need of a data, beside the public interface.
#ifndef RUT_SIM_DATA_H
#define RUT_SIM_DATA_H

#include "sim/model.h"

// Numbers of bodies and blocks that are kept from the beginning of a step.
static inline size_t rut_body_backup_size(const rutModel* model) {
  return 7 * (size_t)model->bodies + (size_t)model->moving_blocks +
         RUT_SPACE_BLOCK * (size_t)model->space_blocks;
}
// Make the present state that of the last step's beginning as well.
void rut_keep_state(rutData* data, const rutGroup* group);
// Padding lanes repeat the last vehicle, so that they hold sensible numbers.
void rut_fill_padding(rutData* data, const rutGroup* group);
// Build the data's block: measuring if arena->base is NULL, else for real. Measuring gives the size
// of the part, from the start, that must be zeroed before the real pass.
rutData* rut_data_build(const rutModel* model, rutArena* arena, size_t* plain_size);
// A whole state in two parts: bytes with all but the ruts, and these as a base (NULL in worlds
// without). Likewise rut_state_get and rut_state_set with RUT_STATE_ALL, and their errors.
size_t rut_state_fixed_size(const rutModel* model);
rutStatus rut_state_get_fixed(const rutModel* model, const rutData* data, void* buffer);
rutStatus rut_state_set_fixed(const rutModel* model, rutData* data, const void* buffer,
                              rutSoftBase* ruts);

#endif  // RUT_SIM_DATA_H
