import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Nothing is loaded for its sake, as each message is imported by itself. */
const ALL_MESSAGES = /\/messages\/_index\.js$/;

const HOME = /\/routes\/home\/home-page\.tsx$/;

/**
 * What the home page shares with other pages is one file, and not two dozen small ones: each would be a request of its
 * own, and over a slow line those wait for each other. What other pages share among themselves stays theirs.
 */
function sharedWithHome(id: string, graph: Rolldown.ChunkingContext): string | null {
  const roots = new Set<string>();
  const seen = new Set<string>();
  const climb = (module: string) => {
    if (seen.has(module) || ALL_MESSAGES.test(module)) return;
    seen.add(module);
    const info = graph.getModuleInfo(module);
    if (info?.isEntry || info?.dynamicImporters.length) roots.add(module);
    info?.importers.forEach(climb);
  };
  climb(id);
  return roots.size > 1 && [...roots].some((root) => HOME.test(root)) ? 'shared' : null;
}

/** Shorter than Vite's own names, which add the line: the home page's document and scripts hold hundreds of them. */
function className(name: string, file: string): string {
  const folder = path.relative(import.meta.dirname, file);
  return `${name}_${createHash('sha256').update(folder).digest('base64url').slice(0, 4)}`;
}

/** Says the messages of the language that the pages are built for: in the empty document, and in the code. */
function messagesInPlace(): Plugin {
  let language = '';
  let folder = '';
  let texts: Readonly<Record<string, unknown>> = {};
  const textOf = (key: string) => (typeof texts[key] === 'string' ? texts[key] : undefined);
  return {
    name: 'messages-in-place',
    enforce: 'pre',
    configResolved: async ({ resolve }) => {
      const compiled = resolve.alias.find(({ find }) => find === '#messages')?.replacement ?? '';
      folder = path.join(path.dirname(compiled), 'messages');
      language = path.basename(path.dirname(compiled));
      texts = JSON.parse(await readFile(path.resolve(import.meta.dirname, `messages/${language}.json`), 'utf8'));
    },
    transformIndexHtml: (html) =>
      html.replace('lang="en"', `lang="${language}"`).replace(/\{(\w+)\}/g, (_, key: string) => textOf(key) ?? key),
    /**
     * A call of a message that nothing is filled into becomes its text: a function for each would take more than the text.
     * All others are imported from their own modules, so that they are loaded with the pages that say them: their common
     * module would make all of them a part of what the home page shares.
     */
    transform: (code, id) => {
      if (!/\/src\/.*\.tsx?$/.test(id) || !code.includes("from '#messages'")) return undefined;
      const said = code
        .replace(/\bm\.(\w+)\((?:\{\}, options)?\)/g, (call, key: string) => JSON.stringify(textOf(key)) ?? call)
        .replace(/\bm\.(\w+)(?![\w(])/g, (name, key: string) => {
          const text = textOf(key);
          return text === undefined || text.includes('{') ? name : `(() => ${JSON.stringify(text)})`;
        });
      const keys = new Set([...said.matchAll(/\bm\.(\w+)/g)].map(([, key = '']) => key));
      const found = [...keys].filter((key) => existsSync(path.join(folder, `${key}.js`)));
      const imports = found.map(
        (key) => `import { ${key} as m_${key} } from ${JSON.stringify(path.join(folder, `${key}.js`))};`,
      );
      // On the first line, so that all others keep their numbers.
      return (
        imports.join('') + said.replace(/\bm\.(\w+)/g, (name, key: string) => (found.includes(key) ? `m_${key}` : name))
      );
    },
  };
}

/** Builds the pages into build/web. `npm run dev` serves them without a build (scripts/dev.ts). */
export default defineConfig({
  root: 'src/web',
  plugins: [react(), messagesInPlace()],
  // English in development; scripts/build/web.ts builds each language.
  resolve: { alias: { '#messages': path.resolve('build/messages/en/messages.js') } },
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: '../../build/web',
    emptyOutDir: true,
    // A font or picture inlined into the style would need `data:` in the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Of a machine that is busy, and no word about the code.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'site', tags: ['$initial'], priority: 1 },
            { name: sharedWithHome, debugName: 'shared with home' },
          ],
        },
      },
    },
  },
});
