// @spec 9.long-polling decisions.6
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPageCounter } from '#server/features/live/live.routes.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

const readVersion = async (orgId: string) =>
  (await app.inject(`/api/orgs/${orgId}`)).json<{ version: number }>().version;
const renameOrg = (orgId: string, name: string) =>
  db.kysely.updateTable('orgs').set({ name }).where('id', '=', orgId).execute();

/** Reads an event stream. `next` returns the version of the next event. */
async function openStream(orgId: string) {
  const request = http.get({ port, host: '127.0.0.1', path: `/api/orgs/${orgId}/live` });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.setEncoding('utf8');
  onTestFinished(() => void request.destroy());
  // Listens continuously, so no event is lost between waits.
  let text = '';
  let lastVersion: number | undefined;
  let arrival = Promise.withResolvers<void>();
  response.on('data', (chunk: string) => {
    text += chunk;
    arrival.resolve();
  });
  const nextVersion = async (): Promise<number> => {
    for (;;) {
      const event = /event: version\ndata: (\d+)\n\n/.exec(text);
      if (event) {
        text = text.slice(event.index + event[0].length);
        const version = Number(event[1]);
        // Skips a repeated version, because a change from just before the stream opened may also arrive.
        if (version === lastVersion) continue;
        lastVersion = version;
        return version;
      }
      arrival = Promise.withResolvers();
      await arrival.promise;
    }
  };
  return { response, next: nextVersion, end: () => request.destroy() };
}

test('a stream sends the current version and each later one', async () => {
  const orgId = await addOrg(db);
  const stream = await openStream(orgId);
  expect(stream.response.statusCode).toBe(200);
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
  const first = await stream.next();
  expect(first).toBe(await readVersion(orgId));
  await renameOrg(orgId, 'Another name');
  expect(await stream.next()).toBe(first + 1);
  await addOffsetter(db, orgId);
  expect(await stream.next()).toBe(first + 2);
  stream.end();
});

test('changes to other organizations are not sent', async () => {
  const [org, otherOrg] = [await addOrg(db), await addOrg(db)];
  const stream = await openStream(org);
  const first = await stream.next();
  await renameOrg(otherOrg, 'Theirs');
  await renameOrg(org, 'Ours');
  expect(await stream.next()).toBe(first + 1);
  stream.end();
});

test('a long poll returns immediately if something has already changed', async () => {
  const orgId = await addOrg(db);
  const version = await readVersion(orgId);
  const response = await app.inject(`/api/orgs/${orgId}/changes?since=${version - 1}`);
  expect(response.json()).toEqual({ version });
});

test('a long poll waits for the next change', async () => {
  const orgId = await addOrg(db);
  const version = await readVersion(orgId);
  const poll = app.inject(`/api/orgs/${orgId}/changes?since=${version}&wait=30`);
  await renameOrg(orgId, 'Changed while a client waits');
  expect((await poll).json()).toEqual({ version: version + 1 });
});

test('a change is sent after its commit, and never after a rollback', async () => {
  const orgId = await addOrg(db);
  const stream = await openStream(orgId);
  const first = await stream.next();
  const transaction = db.kysely.transaction().execute(async (tx) => {
    await tx.updateTable('orgs').set({ name: 'Rolled back' }).where('id', '=', orgId).execute();
    throw new Error('rolled back');
  });
  await expect(transaction).rejects.toThrow('rolled back');
  await renameOrg(orgId, 'Committed');
  expect(await stream.next()).toBe(first + 1);
  stream.end();
});

test.each(['since=-1', 'since=soon', 'wait=4', 'wait=31', 'more=1'])(
  'a long poll with %s is rejected',
  async (query) => {
    expect((await app.inject(`/api/orgs/${await addOrg(db)}/changes?${query}`)).statusCode).toBe(400);
  },
);

test.each(['changes', 'live'])('an unknown organization can’t be followed: %s', async (route) => {
  const response = await app.inject(`/api/orgs/nobody/${route}`);
  expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([404, 'org-not-found']);
});

test('open streams don’t delay shutdown', async () => {
  const otherApp = await buildTestApp(await createTestDeps(db));
  const orgId = await addOrg(db);
  const poll = otherApp.inject(`/api/orgs/${orgId}/changes?since=${await readVersion(orgId)}&wait=30`);
  // Waits until the route has started, which reads the version in the same tick.
  await otherApp.inject(`/api/orgs/${orgId}`);
  await otherApp.close();
  expect((await poll).statusCode).toBeLessThan(600);
});

test('a client can follow a limited number of pages until one is closed, without affecting others', () => {
  const follow = createPageCounter(2);
  const createPageRequest = (ip: string) =>
    ({ ip, raw: Object.assign(new EventEmitter(), { destroyed: false }) }) as unknown as Parameters<typeof follow>[0];
  const [firstPage, secondPage] = [createPageRequest('2001:db8::1'), createPageRequest('2001:db8::2')];
  follow(firstPage);
  follow(secondPage);
  expect(() => follow(createPageRequest('2001:db8::3'))).toThrow(
    expect.objectContaining({ code: 'too-many-requests' }),
  );
  follow(createPageRequest('2001:db8:0:1::1'));
  (firstPage.raw as unknown as EventEmitter).emit('close');
  follow(createPageRequest('2001:db8::3'));
});

test('a page whose client has already disconnected is not counted', () => {
  const follow = createPageCounter(1);
  const raw = new http.IncomingMessage(new Socket());
  follow({ ip: '192.0.2.1', raw: raw.destroy() });
  const openPage = { ip: '192.0.2.1', raw: new http.IncomingMessage(new Socket()) };
  expect(() => follow(openPage)).not.toThrow();
  expect(() => follow(openPage)).toThrow(expect.objectContaining({ code: 'too-many-requests' }));
});

test('a closed app no longer listens to changes', async () => {
  const { changes } = db;
  const subscribe = changes.subscribe.bind(changes);
  let subscriptionCount = 0;
  vi.spyOn(changes, 'subscribe').mockImplementation(async (listener) => {
    const unsubscribe = await subscribe(listener);
    subscriptionCount += 1;
    return () => {
      subscriptionCount -= 1;
      unsubscribe();
    };
  });
  const otherApp = await buildTestApp(await createTestDeps(db));
  expect(subscriptionCount).toBeGreaterThan(0);
  await otherApp.close();
  expect(subscriptionCount).toBe(0);
});
