import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { makeImageRoot } from '#scripts/release/make-image-root.ts';
import { makeRelease } from '#scripts/release/make-release.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { findFreePort } from '#server/db/free-port.ts';

const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://fund.example',
  STRIPE_SECRET_KEY: 'sk_live_of_the_test',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test_of_the_release',
  PARENT_NAME: 'Civic Organization',
  PARENT_EIN: '12-3456789',
  PARENT_ADDRESS: '1 Main Street',
  CONTACT_EMAIL: 'fund@civic.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DEFAULT_ORG: 'ithaca',
  LOG_LEVEL: 'silent',
};

/**
 * Runs the image as a container would: with only the machine's /dev and /proc, nothing writable except /data and /tmp,
 * and a non-root user.
 */
const RUN_AS_IMAGE = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount --bind /dev "$0/dev" &&
  mount --rbind /proc "$0/proc" && mount --bind "$1" "$0/data" && mount -t tmpfs -o mode=1777 none "$0/tmp" && shift &&
  exec chroot --userspec=10001:10001 "$0" /app/bin/node --max-semi-space-size=4 --max-old-space-size=512 /app/scripts/fund.mjs "$@"`;

/** Creates a function that runs release commands. They run as the test's user if mounting isn't permitted. */
function createRunner(release: string, image: string, data: string) {
  const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
  return (settings: Record<string, string>, ...args: string[]): ChildProcess => {
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    return canMount
      ? spawn('unshare', ['--mount', 'sh', '-c', RUN_AS_IMAGE, image, data, ...args], {
          env: { PATH: process.env.PATH, DATA_DIR: '/data', ...settings },
          stdio: [...stdio],
        })
      : spawn(path.join(release, 'fund'), args, { cwd: data, env: { DATA_DIR: '.', ...settings }, stdio: [...stdio] });
  };
}

test('a release runs as another user from a read-only folder without installing or building', async () => {
  const scratch = await createScratchFolder('release');
  const [release, image, data, previous] = ['release', 'image', 'data', 'previous'].map((name) =>
    path.join(scratch, name),
  ) as [string, string, string, string];
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let serverProcess: ChildProcess | undefined;
  // The release has no shell, so it can't create a database.
  const server = await startPostgresServer();
  const settings = { ...SETTINGS, DATABASE_URL: server.url };
  try {
    await fs.mkdir(path.join(previous, 'build/web/assets'), { recursive: true });
    await fs.writeFile(path.join(previous, 'build/web/assets/home-page-Before01.js'), 'export {};');
    const { megabytes } = await makeRelease({ to: release, previous, commit: '0123456789ab', withNode: true });
    expect(JSON.parse(await fs.readFile(path.join(release, 'package.json'), 'utf8')).commit).toBe('0123456789ab');
    expect(await fs.readFile(path.join(release, 'deploy/Dockerfile'), 'utf8')).toContain('COPY . /app');
    // PostgreSQL accounts for 70 of these megabytes.
    expect(megabytes.modules).toBeLessThanOrEqual(230);
    expect(await fs.readdir(path.join(release, 'src/web/fonts'))).toEqual(['bricolage-OFL.txt', 'figtree-OFL.txt']);
    await makeImageRoot(release, image);
    await fs.mkdir(data);
    await fs.chmod(data, 0o777);
    await fs.chmod(scratch, 0o755);
    const run = createRunner(release, image, data);

    const [status] = await once(run(settings, 'migrate'), 'exit');
    expect(status).toBe(0);
    serverProcess = run({ ...settings, PORT: String(port) }, 'start');
    const exit = once(serverProcess, 'exit');
    await expect.poll(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status).toBe(200);
    // There is no organization yet.
    const homeResponse = await fetch(`${url}/`, { redirect: 'manual' });
    expect([homeResponse.status, homeResponse.headers.get('location')]).toEqual([302, '/admin']);
    const page = await (await fetch(`${url}/login`)).text();
    const [script = ''] = /\/assets\/index-[\w-]+\.js/.exec(page) ?? [];
    for (const asset of [script, '/assets/home-page-Before01.js']) {
      const { status: assetStatus, headers } = await fetch(url + asset);
      expect([assetStatus, headers.get('cache-control')], asset).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect(await (await fetch(`${url}/api/autocomplete?search=Ithaca`)).text()).toContain('Ithaca');
    serverProcess.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  } finally {
    serverProcess?.kill('SIGKILL');
    await server.stop();
    await fs.rm(scratch, { recursive: true, force: true });
  }
});
