// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

// The licences of what stands in the page, which ask to come along.
function licences(): string {
  const texts = ['three', 'uplot'].map((name) => {
    const file = new URL(`node_modules/${name}/LICENSE`, import.meta.url);
    return `${name}\n\n${readFileSync(file, 'utf8').trim()}`;
  });
  return `<!--\n${texts.join('\n\n').replaceAll('--', '- -')}\n-->`;
}

// Puts script and style into index.html: the page is one file, which the command embeds, and needs no
// second request (which would lack the token of the address).
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        const file = name.replace(/[.\\/]/g, '\\$&');
        if (part.type === 'chunk') {
          const code = part.code.replaceAll('</script', '<\\/script');
          const tag = new RegExp(`<script[^>]*src="[^"]*${file}"[^>]*></script>`);
          html = html.replace(tag, () => '');
          html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith('.css')) {
          const tag = new RegExp(`<link[^>]*href="[^"]*${file}"[^>]*>`);
          html = html.replace(tag, () => `<style>${String(part.source)}</style>`);
          delete bundle[name];
        }
      }
      page.source = `${html.trimEnd()}\n${licences()}\n`;
    },
  };
}

const server = process.env['RUT_SERVER'] ?? 'http://127.0.0.1:8080';
const proxied = ['/scene.json', '/terrain', '/soil', '/asset', '/state'];

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 1 << 20,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: true,
  },
  plugins: [oneFile()],
  server: {
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [path, { target: server, changeOrigin: true }])),
      '/stream': { target: server.replace('http', 'ws'), ws: true, changeOrigin: true },
    },
  },
});
