// SPDX-License-Identifier: BSD-3-Clause
//
// Image decoders, and what is made of images.
#include <stdlib.h>

#include "format/image.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // large images are slow under the sanitizers and show nothing new
  rutImageClaim claim;
  if (rut_image_claim(data, size, &claim) && (claim.width > 1024 || claim.height > 1024)) return 0;
  rutReporter reporter = {0};
  rutImage image;
  if (rut_image_decode(data, size, "fuzz", &reporter, &image) != RUT_OK) return 0;
  uint8_t* cell = malloc((size_t)image.width * (size_t)image.height);
  if (cell) rut_image_cells(&image, cell);
  free(cell);
  rutMatrix heights;
  if (rut_image_heights(&image, -1, 1, "fuzz", &reporter, &heights) == RUT_OK) {
    rut_matrix_free(&heights);
  }
  rut_image_free(&image);
  return 0;
}
