import { expect, test } from 'vitest';
import { storyShareImagePath } from '#contract/share-images.ts';
import { Failure } from '#domain/failures.ts';
import type { ShareImages } from '#server/gateways/share-images/share-images.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createPlainPhoto } from '#test/support/photos.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const shareImages: ShareImages = {
  open: async () => ({ png: Buffer.from('card'), tag: 'card' }),
};
const deps = await createTestDeps(db, { shareImages });
const app = await buildTestApp(deps);
const orgId = await addOrg(db);
const edith = await signIn(deps, { editorOf: [orgId] });

async function createPhotoColumn(): Promise<string> {
  const photo = await deps.pictures.store(await createPlainPhoto(700, 500).jpeg().toBuffer());
  if (photo instanceof Failure) throw photo;
  return JSON.stringify(photo);
}

const readStatus = async (path: string) => (await app.inject(path)).statusCode;

/** How to add a story, set its status, and read it as an editor. */
const STORY_KINDS = {
  offsetters: {
    add: async () => addOffsetter(db, orgId, { photo: await createPhotoColumn() }),
    setStatus: (id: string, status: string) =>
      call(app, 'setOffsetterStatus', { params: { orgid: orgId, offsetterid: id }, as: edith, body: { status } }),
    readCall: 'readOffsettersToReview',
  },
  awardees: {
    add: async () => addStory(db, 'awardees', orgId, { photo: await createPhotoColumn(), consented_at: new Date() }),
    setStatus: (id: string, status: string) =>
      call(app, 'setAwardeeStatus', { params: { orgid: orgId, awardeeid: id }, as: edith, body: { status } }),
    readCall: 'readAwardeesToEdit',
  },
  installers: {
    add: async () => addStory(db, 'installers', orgId, { photo: await createPhotoColumn() }),
    setStatus: (id: string, status: string) =>
      call(app, 'setInstallerStatus', { params: { orgid: orgId, installerid: id }, as: edith, body: { status } }),
    readCall: 'readInstallersToEdit',
  },
} as const;

test.each(['offsetters', 'awardees', 'installers'] as const)(
  'hiding %s also hides their photos and share images, and publishing restores them',
  async (kind) => {
    const { add, setStatus, readCall } = STORY_KINDS[kind];
    const id = await add();
    const story = (await app.inject(`/api/orgs/${orgId}/${kind}/${id}`)).json();
    const paths: string[] = story.photo.sources.map(({ url }: { url: string }) => url);
    const shareImagePath = storyShareImagePath(orgId, kind, id);
    for (const path of [...paths, shareImagePath]) {
      const response = await app.inject(path);
      expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'public, max-age=30']);
    }
    expect(JSON.stringify(story)).not.toContain('pass');

    expect((await setStatus(id, 'hidden')).statusCode).toBe(200);
    for (const path of [
      ...paths,
      ...paths.map((photoPath) => `${photoPath}?pass=`),
      `${paths[0]}?pass=x&pass=y`,
      shareImagePath,
    ]) {
      const response = await app.inject({ url: path, headers: { 'if-none-match': `"${story.photo.sources[0].url}"` } });
      expect([response.statusCode, response.headers['cache-control']]).toEqual([404, 'no-store']);
    }
    const [hiddenStory] = (await call(app, readCall, { params: { orgid: orgId }, as: edith })).json();
    const response = await app.inject(hiddenStory.photo.url);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'private, no-store']);

    expect((await setStatus(id, 'published')).statusCode).toBe(200);
    for (const path of [...paths, shareImagePath]) expect(await readStatus(path)).toBe(200);
  },
);

test('the photo of a person who chose not to be shown isn’t served', async () => {
  const id = await STORY_KINDS.offsetters.add();
  const { photoURL } = (await app.inject(`/api/orgs/${orgId}/offsetters/${id}`)).json();
  await db.kysely.updateTable('offsetters').set({ shown_as: 'none' }).where('id', '=', id).execute();
  expect(await readStatus(photoURL)).toBe(404);
});

test.each(['offsetters', 'awardees', 'installers'] as const)(
  'photos of deleted %s are cached only briefly until their files are removed',
  async (kind) => {
    const id = await STORY_KINDS[kind].add();
    const { photoURL } = (await app.inject(`/api/orgs/${orgId}/${kind}/${id}`)).json();
    await db.kysely.deleteFrom(kind).where('id', '=', id).execute();
    const response = await app.inject(photoURL);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'public, max-age=30']);
  },
);

test('an unchanged picture isn’t sent twice', async () => {
  const id = await STORY_KINDS.offsetters.add();
  const { photoURL } = (await app.inject(`/api/orgs/${orgId}/offsetters/${id}`)).json();
  const { etag = '' } = (await app.inject(photoURL)).headers;
  const secondResponse = await app.inject({ url: photoURL, headers: { 'if-none-match': String(etag) } });
  expect([secondResponse.statusCode, secondResponse.rawPayload.length]).toEqual([304, 0]);
});
