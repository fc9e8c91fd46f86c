import { createHash } from 'node:crypto';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';

/** Exports every message. A page that imports it loads only the messages it uses. */
const ALL_MESSAGES = /\/messages\/_index\.js$/;

const HOME = /\/routes\/home\/home-page\.tsx$/;

/**
 * Puts the modules that the home page shares with other pages into one file instead of two dozen small ones, which would
 * be separate requests on a slow connection.
 */
function sharedWithHome(id: string, graph: Rolldown.ChunkingContext): string | null {
  const roots = new Set<string>();
  const visited = new Set<string>();
  const climb = (module: string) => {
    if (visited.has(module) || ALL_MESSAGES.test(module)) return;
    visited.add(module);
    const info = graph.getModuleInfo(module);
    if (info?.isEntry || info?.dynamicImporters.length) roots.add(module);
    info?.importers.forEach(climb);
  };
  climb(id);
  return roots.size > 1 && [...roots].some((root) => HOME.test(root)) ? 'shared' : null;
}

/** Shorter than Vite's default names, since the home page's document and scripts contain hundreds of them. */
function className(name: string, file: string): string {
  const folder = path.relative(import.meta.dirname, file);
  return `${name}_${createHash('sha256').update(folder).digest('base64url').slice(0, 4)}`;
}

/** Builds the pages into build/web. `npm run dev` serves them without a build (scripts/dev.ts). */
export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: '../../build/web',
    emptyOutDir: true,
    // A font or picture inlined into the style would need `data:` in the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A warning about a busy machine, not about the code.
      checks: { pluginTimings: false },
      treeshake: { moduleSideEffects: [{ test: /\/build\/messages\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'site', tags: ['$initial'], priority: 1 },
            { name: sharedWithHome, debugName: 'shared with home' },
            // Fewer files, since the script that every page loads contains their names.
            { name: 'ui', test: /\/src\/web\/ui\//, minShareCount: 14 },
            { name: 'forms', test: /\/src\/web\/forms\//, minShareCount: 3 },
            { name: 'signed-in', test: /\/signed-in-routes\.ts$/ },
          ],
        },
      },
    },
  },
});
