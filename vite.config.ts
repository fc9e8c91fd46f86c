import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const PROGRAM = 'http://127.0.0.1:8080';

/** Builds the pages into build/web; while they are being written, calls and pictures come from the running program. */
export default defineConfig({
  root: 'src/web',
  publicDir: '../../build/public',
  plugins: [react()],
  build: {
    outDir: '../../build/web',
    emptyOutDir: true,
    manifest: true,
    // A font or picture inlined into the style would need `data:` in the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // The fonts are made into build/, which lies outside of the root.
    fs: { allow: ['../..'] },
    proxy: { '/api': PROGRAM, '/media': PROGRAM, '/sandbox': PROGRAM },
  },
});
