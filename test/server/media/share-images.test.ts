import { expect, test } from 'vitest';
import { orgShareImagePath, storyShareImagePath } from '#contract/share-images.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { ShareImageFacts, ShareImages } from '#server/gateways/share-images/share-images.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createPhotoColumn } from '#test/support/builders/photo.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const renderedFacts: ShareImageFacts[] = [];
const state = { isFull: false };
/** Images whose bytes are their content as JSON. */
const shareImages: ShareImages = {
  open: async (facts) => {
    renderedFacts.push(facts);
    if (state.isFull) return tooManyRequests(10);
    return { png: Buffer.from(JSON.stringify(facts)), tag: `tag-of-${facts.title.length}` };
  },
};
const app = await buildTestApp(await createTestDeps(db, { shareImages }));
const orgId = await addOrg(db, {
  name: 'Ithaca Fund',
  tag: 'Warm homes',
  photo: createPhotoColumn({ key: 'o'.repeat(22) }),
});

test("an organization's image shows its name and tag over its photo", async () => {
  const response = await app.inject(orgShareImagePath(orgId));
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(response.rawPayload.length),
    'cache-control': 'public, max-age=3600',
    etag: '"tag-of-10"',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(response.json()).toEqual({
    orgId,
    orgName: 'Ithaca Fund',
    title: 'Warm homes',
    storyText: '',
    photo: { key: 'o'.repeat(22), width: 1200, height: 800, widths: [320, 640, 1200] },
  });
});

test("a renamed organization's image shows the new name", async () => {
  const id = await addOrg(db, { name: 'Ithaca Fund' });
  await db.kysely.updateTable('orgs').set({ name: 'Renamed' }).where('id', '=', id).execute();
  expect((await app.inject(orgShareImagePath(id))).json()).toMatchObject({ orgName: 'Renamed' });
});

test("a story's image shows only public content", async () => {
  const id = await addOffsetter(db, orgId, {
    name: 'Dora Donor',
    shown_as: 'first',
    story: 'We give.',
    photo: createPhotoColumn({ key: 's'.repeat(22) }),
  });
  const response = await app.inject(storyShareImagePath(orgId, 'offsetters', id));
  expect(response.json()).toMatchObject({
    orgName: 'Ithaca Fund',
    story: { kind: 'offsetters', id },
    title: 'Dora',
    storyText: 'We give.',
    photo: { key: 's'.repeat(22) },
  });
  expect(response.body).not.toMatch(/Donor|example\.org/);
});

test.each(['awardees', 'installers'] as const)('%s have share images', async (kind) => {
  const id = await addStory(db, kind, orgId, { name: 'Somebody' });
  expect((await app.inject(storyShareImagePath(orgId, kind, id))).json()).toMatchObject({
    title: 'Somebody',
    story: { kind, id },
  });
});

test('hidden content has no image, and none is rendered', async () => {
  const offsetterId = await addOffsetter(db, orgId);
  const otherOrg = await addOrg(db);
  const hiddenPaths = [
    storyShareImagePath(orgId, 'offsetters', await addOffsetter(db, orgId, { status: 'draft' })),
    storyShareImagePath(orgId, 'offsetters', await addOffsetter(db, orgId, { status: 'hidden' })),
    storyShareImagePath(orgId, 'offsetters', await addOffsetter(db, orgId, { shown_as: 'none' })),
    storyShareImagePath(orgId, 'awardees', await addStory(db, 'awardees', orgId, { status: 'draft' })),
    storyShareImagePath(orgId, 'installers', await addStory(db, 'installers', orgId, { status: 'hidden' })),
    storyShareImagePath(otherOrg, 'offsetters', offsetterId),
    storyShareImagePath(orgId, 'awardees', offsetterId),
    storyShareImagePath('nobody', 'offsetters', offsetterId),
    orgShareImagePath('nobody'),
    orgShareImagePath('../secrets'),
    `/media/cards/${orgId}`,
    `/media/cards/${orgId}.webp`,
    `/media/cards/${orgId}.png.png`,
    `/media/cards/.png`,
    `/media/cards/${orgId}/offsetters/${offsetterId}`,
    `/media/cards/${orgId}/users/${offsetterId}.png`,
    `/media/cards/${orgId}/constructor/${offsetterId}.png`,
    `/media/cards/${orgId}/offsetters/..%2f${offsetterId}.png`,
  ];
  renderedFacts.length = 0;
  for (const url of hiddenPaths) {
    const response = await app.inject(url);
    expect([response.statusCode, response.headers['content-type']], url).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(response.headers['cache-control'], url).toBe('no-store');
  }
  expect(renderedFacts).toEqual([]);
});

test('an image the client already has isn’t sent again, and a HEAD response contains none', async () => {
  const url = orgShareImagePath(orgId);
  const secondResponse = await app.inject({ url, headers: { 'if-none-match': '"tag-of-10"' } });
  expect([secondResponse.statusCode, secondResponse.body, secondResponse.headers.etag]).toEqual([
    304,
    '',
    '"tag-of-10"',
  ]);
  expect((await app.inject({ url, headers: { 'if-none-match': '"tag-of-1"' } })).statusCode).toBe(200);
  const headResponse = await app.inject({ method: 'HEAD', url });
  expect([headResponse.statusCode, headResponse.body, headResponse.headers['content-type']]).toEqual([
    200,
    '',
    'image/png',
  ]);
});

test('if many images are queued, a request gets a Retry-After header', async () => {
  state.isFull = true;
  const response = await app.inject(orgShareImagePath(orgId));
  state.isFull = false;
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '10']);
});
