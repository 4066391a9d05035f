// SPDX-License-Identifier: BSD-3-Clause
// Whether there is a graphics processor.

let software: boolean | null = null;

export function drawnInSoftware(): boolean {
  return (software ??= hasNoGraphics());
}

function hasNoGraphics(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
