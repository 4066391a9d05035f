// SPDX-License-Identifier: BSD-3-Clause
//
// Gauss-Jacobi quadrature on [0, 1] with the weight (1 - x)^a, for integrands with such an end
// point (Golub and Welsch, Math. Comp. 23, 1969).
#ifndef RUT_MATH_QUADRATURE_H
#define RUT_MATH_QUADRATURE_H

enum { RUT_MOST_NODES = 16 };

// n <= RUT_MOST_NODES nodes, ascending, for a > -1: the sum of weight f(node) is the integral of
// (1 - x)^a f(x), exact for polynomials f of degree 2 n - 1; that of plain f(node) is the integral
// of f(x), exact up to degree n - 1. Both are Gauss-Legendre where a = 0.
void rut_gauss_jacobi(int n, double a, double* node, double* weight, double* plain);

#endif  // RUT_MATH_QUADRATURE_H
