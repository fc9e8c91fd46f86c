import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { findFreePort } from '#server/db/free-port.ts';

const run = promisify(execFile);
const SYSTEM_CADDY = '/usr/bin/caddy';
/** Debian's package is unpacked here, because installing it would start Caddy as a service. */
const DOWNLOADS = path.resolve('build/caddy');

async function findCaddy(): Promise<string> {
  const unpackedCaddy = path.join(DOWNLOADS, SYSTEM_CADDY);
  const binary = [SYSTEM_CADDY, unpackedCaddy].find((file) => existsSync(file));
  if (binary !== undefined) return binary;
  await fs.mkdir(DOWNLOADS, { recursive: true });
  const download = () => run('apt-get', ['download', 'caddy'], { cwd: DOWNLOADS });
  // New containers have no package lists.
  await download().catch(() => run('apt-get', ['update']).then(download));
  const archive = (await fs.readdir(DOWNLOADS)).find((file) => file.endsWith('.deb'));
  await run('dpkg-deb', ['--extract', archive ?? '', '.'], { cwd: DOWNLOADS });
  return unpackedCaddy;
}

/** Runs deploy/Caddyfile on free local ports. */
async function startCaddy(upstream: string) {
  const folder = await createScratchFolder('caddy');
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const options = [
    'admin off',
    'debug',
    'default_bind 127.0.0.1',
    'skip_install_trust',
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
  ];
  const text = await fs.readFile('deploy/Caddyfile', 'utf8');
  const file = path.join(folder, 'Caddyfile');
  await fs.writeFile(file, text.replace('{\n', `{\n${options.join('\n')}\n`));
  const caddy = spawn(await findCaddy(), ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PUBLIC_URL: 'https://localhost', UPSTREAM: upstream, HOME: folder, XDG_DATA_HOME: folder },
  });
  onTestFinished(async () => {
    caddy.kill();
    await once(caddy, 'exit');
  });
  let log = '';
  caddy.stderr.on('data', (data: Buffer) => {
    log += data.toString();
  });
  const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  const send = async (method: string, address: string) => {
    const [client, port] = address.startsWith('https:') ? [https, httpsPort] : [http, httpPort];
    const request = client.request(address, {
      method,
      host: '127.0.0.1',
      port,
      ca: await fs.readFile(authority),
      servername: 'localhost',
      headers: { host: 'localhost' },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    return { status: response.statusCode, location: response.headers.location };
  };
  await expect.poll(() => send('GET', 'https://localhost/').catch(() => undefined)).toBeDefined();
  return { send, log: () => log };
}

/** Starts a restartable server that responds to every request. */
async function startServer() {
  const port = await findFreePort();
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => response.end('page'));
  });
  const start = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    if (!server.listening) return;
    const closing = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closing;
  };
  await start();
  onTestFinished(stop);
  return { address: `127.0.0.1:${port}`, start, stop };
}

test.runIf(process.platform === 'linux')(
  'Caddy redirects unencrypted pages and rejects unencrypted calls',
  async () => {
    const server = await startServer();
    const { send } = await startCaddy(server.address);
    expect(await send('GET', 'https://localhost/api/orgs')).toMatchObject({ status: 200 });
    for (const method of ['GET', 'POST']) {
      expect(await send(method, 'http://localhost/api/orgs')).toEqual({ status: 403, location: undefined });
    }
    const redirect = { status: 308, location: 'https://localhost/orgs/ithaca?cart=open' };
    expect(await send('GET', 'http://localhost/orgs/ithaca?cart=open')).toEqual(redirect);
  },
);

test.runIf(process.platform === 'linux')('Caddy holds requests while the program restarts', async () => {
  const server = await startServer();
  const { send, log } = await startCaddy(server.address);
  await server.stop();
  // Caddy 2.11.1 and earlier can't retry requests that have a body (issue 7546).
  const requests = [send('GET', 'https://localhost/'), send('DELETE', 'https://localhost/api/checkouts/1')];
  await expect.poll(log).toContain('connection refused');
  await server.start();
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200]);
});
