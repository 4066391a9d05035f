// SPDX-License-Identifier: BSD-3-Clause
// What was pressed or chosen with the mouse or a finger does not keep the keys: they are the page's again. Who came
// there by Tab stays there.

export function attachFocus(): void {
  let pointer = false;
  window.addEventListener('pointerdown', () => (pointer = true), true);
  window.addEventListener('keydown', () => (pointer = false), true);
  const release = (e: Event): void => {
    if (!pointer || !(e.target instanceof Element)) return;
    // a click opens a list, only a choice ends it
    const kinds =
      e.type === 'click' ? 'button, [type=checkbox], [type=range]' : 'select, [type=range]';
    e.target.closest<HTMLElement>(kinds)?.blur();
  };
  window.addEventListener('change', release);
  window.addEventListener('click', release);
}
