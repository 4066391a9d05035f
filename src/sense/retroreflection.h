// SPDX-License-Identifier: BSD-3-Clause
//
// Light that sheeting returns to where it comes from. A surface of area A with the illuminance E on
// a plane across the light has the luminous intensity R_A E A (CIE S 017, 17-24-103: coefficient of
// retroreflection R_A). Data sheets tell R_A at an observation angle (between source and observer)
// of 0.2 deg and an entrance angle (between light and normal) of 5 deg. It falls with both; two
// Gaussian functions of the observation angle a, and the cosine of the entrance angle b to the
// power of 3.5, are fits to white sheeting of type 2 in the Austrian ordinance on road signs (BGBl.
// II 238/1998, annex 2) and of type III in ASTM D4956-01, which has 4 deg for 5 deg:
//
//     a [deg]               0.1   0.1   0.2   0.2   0.2   0.33   0.33   0.5   2
//     b [deg]               4     30    5     30    40    5      30     4     5
//     R_A [cd/(lx m2)]      300   180   250   150   110   180    100    95    5
//     fit                   290   177   250   153   100   180    110    93    4.9
//
// Other types and colours are taken to fall alike.
#ifndef RUT_SENSE_RETROREFLECTION_H
#define RUT_SENSE_RETROREFLECTION_H

#include "math/rut_math.h"

// Factor on the R_A of data sheets at the square of an observation angle [rad2].
RUT_INLINE double rut_retro_observed(double square) {
  static const double DEGREE = RUT_PI / 180, NOMINAL = 0.04;  // [deg2]
  static const double NARROW = 0.2045, WIDE = 36;             // widths [deg2]
  static const double PART = 0.022;                           // of the wide one
  const double beyond = NOMINAL - square / (DEGREE * DEGREE);
  return (1 - PART) * rut_exp(beyond / NARROW) + PART * rut_exp(beyond / WIDE);
}

// The same at the cosine of an entrance angle.
RUT_INLINE double rut_retro_entered(double cosine) {
  static const double NOMINAL = 0.9961946980917455;  // of 5 deg
  const double part = cosine / NOMINAL;
  return part * part * part * rut_sqrt(part);
}

#endif  // RUT_SENSE_RETROREFLECTION_H
