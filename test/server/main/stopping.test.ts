import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createWebFolder } from '#test/support/web-folder.ts';

/** Longer than the test, which ends the wait by closing the app. */
const WAIT_MS = 60_000;

test('a stopping program is not ready, still responds, and closes each connection after the response', async () => {
  const db = await createTestDatabase();
  const orgId = await addOrg(db);
  const app = await buildTestApp(await createTestDeps(db), await createWebFolder());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const liveStream = await fetch(`${url}/api/orgs/${orgId}/live`);
  void app.stopping.stop(WAIT_MS);
  const paths = [`/api/orgs/${orgId}`, '/healthz', '/nobody', '/readyz'];
  const responses = await Promise.all(paths.map((path) => fetch(url + path)));
  expect(responses.map(({ headers }) => headers.get('connection'))).toEqual(paths.map(() => 'close'));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 503]);
  expect(await responses.at(-1)?.json()).toEqual({ ok: false, reason: 'stopping' });
  await app.close();
  // The browser reconnects to another program.
  expect(await liveStream.text()).toContain('retry: ');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
