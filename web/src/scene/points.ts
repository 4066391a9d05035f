// SPDX-License-Identifier: BSD-3-Clause
// Round points of a size in pixels.

import { PointsMaterial, type PointsMaterialParameters } from 'three';

export function roundPoints(parameters: PointsMaterialParameters): PointsMaterial {
  const material = new PointsMaterial({ sizeAttenuation: false, ...parameters });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <clipping_planes_fragment>',
      `#include <clipping_planes_fragment>
  if (length(gl_PointCoord - 0.5) > 0.5) discard;`,
    );
  };
  return material;
}
