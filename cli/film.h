// SPDX-License-Identifier: BSD-3-Clause
//
// Films: frames of a constant rate, which ffmpeg makes a file of, or which become numbered PNG
// files in a folder.
#ifndef RUT_CLI_FILM_H
#define RUT_CLI_FILM_H

#include <stdint.h>
#include <sys/types.h>

#include "rut/host.h"

typedef struct cliFilm {
  const char* path;  // a file, or a folder: it ends in '/'
  int width, height;
  int64_t frames;     // so far
  rutOutput* output;  // of a file
  pid_t process;
  int to;  // pipe to ffmpeg, -1 in a folder
} cliFilm;

// Whether a path is that of a film: .mp4, .mkv, .mov, .webm, .gif, or a folder, ending in '/'.
bool cli_film_is(const char* path);
// Begin a film of width x height pixels at a rate [1/s]. Returns CLI_GO_ON or an exit code; the
// film is to be ended in the first case only.
int cli_film_begin(cliFilm* film, const char* path, int width, int height, double rate);
// Add a frame, of which the size and RGB8 are asked for. Returns CLI_GO_ON or an exit code.
int cli_film_put(cliFilm* film, const rutPicture* frame);
// Complete the file if `keep`, else remove it. Returns CLI_DONE or an exit code.
int cli_film_end(cliFilm* film, bool keep);

#endif  // RUT_CLI_FILM_H
