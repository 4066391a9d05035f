// SPDX-License-Identifier: BSD-3-Clause
// Dark or light: as the system says, until a person chooses.

import type { App } from '../app.ts';

const KEY = 'rut.theme';

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function buildTheme(app: App): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = kept();
  let own = chosen === 'dark' || chosen === 'light';
  app.theme.set(own ? (chosen as 'dark' | 'light') : system.matches ? 'dark' : 'light');
  let first = true;
  app.theme.on((theme) => {
    document.documentElement.dataset['theme'] = theme;
    const system_says = system.matches ? 'dark' : 'light';
    if (first) {
      first = false;
      return;
    }
    own = theme !== system_says;
    try {
      if (own) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  });
  system.addEventListener('change', () => {
    if (!own) app.setTheme(system.matches ? 'dark' : 'light');
  });
}
