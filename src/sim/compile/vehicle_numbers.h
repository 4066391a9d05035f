// SPDX-License-Identifier: BSD-3-Clause
//
// What a controller is told of its vehicle by parameters that are known by their names.
#ifndef RUT_SIM_COMPILE_VEHICLE_NUMBERS_H
#define RUT_SIM_COMPILE_VEHICLE_NUMBERS_H

#include "rut/component.h"
#include "sim/compile/draft.h"

// Sets those of the parameters that a component has by these names and that are 0:
//   reach_front, reach_rear, reach_left, reach_right: how far the chassis's outline and the wheels
//     reach from the reference point [m]
//   slip_gradient: slip angle per lateral acceleration on level ground, by the loads and the tyres'
//     stiffness at rest, of the axles that do not steer, or of the middle between those that all do
//     [rad s2/m]; 0 stays where the stiffness is not known
// layout: of the vehicle, with the stiffness of its tyres; its arrays are not read.
void rut_tell_vehicle_numbers(const rutDraftClass* vehicle, const rutVehicleLayout* layout,
                              const rutComponent* type, double* param);

#endif  // RUT_SIM_COMPILE_VEHICLE_NUMBERS_H
