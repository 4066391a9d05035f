// SPDX-License-Identifier: BSD-3-Clause
//
// gnuplot, which runs as a process, and how all figures look.
#ifndef RUT_CLI_GNUPLOT_H
#define RUT_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_GNUPLOT_COLORS = 7 };
// Colours that colour-blind people can tell apart.
extern const char* const cli_gnuplot_color[CLI_GNUPLOT_COLORS];

// True if the end of a path tells a format that figures may have.
bool cli_gnuplot_format(const char* path);
// A text in quotes; a unit as it is printed, "m/s²".
void cli_gnuplot_quoted(FILE* out, const char* text);
void cli_gnuplot_unit(const char* unit, char* out, size_t size);

// Draw a figure of width x height [pixels of a screen, 96 to the inch] into .png, .svg or .pdf. put
// writes the script behind terminal and style. Returns an exit code: done, missing (gnuplot), or
// IO, which it has told.
int cli_gnuplot_draw(const char* path, double width, double height,
                     void (*put)(FILE* out, const void* user), const void* user);

#endif  // RUT_CLI_GNUPLOT_H
