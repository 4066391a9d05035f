// SPDX-License-Identifier: BSD-3-Clause
//
// Properties of signals that logs and tables need.
#ifndef RUT_HOST_SIGNALS_H
#define RUT_HOST_SIGNALS_H

#include "rut/host.h"

// End of the name of number k of a variable: "speed", "force_x" of a vector along axes, "q0",
// "range_2".
enum { RUT_LEAF_SIZE = 160 };
void rut_signals_leaf(const rutVariableInfo* variable, int k, char leaf[RUT_LEAF_SIZE]);
// Whether its numbers are components along axes.
bool rut_signals_along_axes(const rutVariableInfo* variable);
// How often a signal is read where all signals are logged.
rutReading rut_signals_reading(const rutSignals* signals, int index);
// Whether it is a number of a sensor's samples.
bool rut_signals_sampled(const rutSignals* signals, int index);
// Element of the model that a signal is of.
rutKind rut_signals_kind(const rutSignals* signals, int index);
int rut_signals_element(const rutSignals* signals, int index);
// Word for its element or part: "vehicle", "wheel", "drive".
enum { RUT_WORD_SIZE = 32 };
void rut_signals_word(const rutSignals* signals, int index, char word[RUT_WORD_SIZE]);
// Begin the means of accelerations at the present state, as reading one does.
void rut_signals_mark(rutSignals* signals, const rutModel* model, const rutData* data);
// What mean accelerations are taken from, as numbers: their count, and copies out and in.
int rut_signals_memory(const rutSignals* signals);
void rut_signals_remember(const rutSignals* signals, double* out);
void rut_signals_recall(rutSignals* signals, const double* memory);
// Names of the signals that a log takes.
typedef struct rutSignalChoice {
  const char* prefix;          // of all their names, "r1/" for those of one vehicle
  int patterns;                // 0: all that are not read on request only
  const char* const* pattern;  // [patterns] of which one matches the name behind the prefix
} rutSignalChoice;
// Indices of these signals, ascending, without the time. index has room for all signals. Errors:
// ARGUMENT (a pattern matches none), MEMORY.
rutStatus rut_signals_choose(const rutSignals* signals, const rutSignalChoice* choice, int* n,
                             int* index, rutError* err);

#endif  // RUT_HOST_SIGNALS_H
