import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer } from 'vite';
import { findFreePort } from '#server/db/free-port.ts';
import { buildForDevelopment } from './build/build.ts';

/**
 * npm run dev: serves the sample organization on one port. Pages update in place when their code changes, and the server
 * restarts when its code changes. Pages are in English and rendered client-side only.
 *
 * Vite listens on the port and forwards everything except its own modules to the server.
 */
const port = Number(process.env.PORT ?? 8080);
const serverPort = await findFreePort();
const webFolder = 'build/dev';

await buildForDevelopment();
const { getDocumentConstants } = await import('./build/document-constants.ts');
const vite = await createServer({
  // Module URLs such as /src/web/api/client.ts can't conflict with API routes.
  root: '.',
  publicDir: false,
  appType: 'custom',
  clearScreen: false,
  define: getDocumentConstants('en'),
  optimizeDeps: { entries: ['src/web/main.tsx'] },
  server: {
    host: 'localhost',
    port,
    strictPort: true,
    watch: { ignored: ['**/build/dev/**', '**/data/**'] },
    proxy: {
      '^/(?!@|src/|node_modules/|build/)': {
        target: `http://127.0.0.1:${serverPort}`,
        bypass: waitUntilServerListens,
        configure: (proxy) =>
          // React's and Vite's development code is inline, which the content security policy forbids.
          proxy.on('proxyRes', ({ headers }) => {
            delete headers['content-security-policy'];
          }),
      },
    },
  },
});

await mkdir(webFolder, { recursive: true });
await cp('src/web/public', webFolder, { recursive: true });
const html = (await readFile('src/web/index.html', 'utf8')).replaceAll('"./', '"/src/web/');
await writeFile(path.join(webFolder, 'index.html'), await vite.transformIndexHtml('/', html));
await vite.listen();

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'scripts/dev/serve-sample.ts', webFolder],
  {
    stdio: 'inherit',
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(serverPort), PUBLIC_URL: `http://localhost:${port}` },
  },
);
server.once('exit', (status) => process.exit(status ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => server.kill());
process.once('disconnect', () => server.kill());

/** Holds a request while the server starts or restarts. */
async function waitUntilServerListens(): Promise<void> {
  while (!(await isListening())) await pause(100);
}

async function isListening(): Promise<boolean> {
  const socket = connect(serverPort, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
