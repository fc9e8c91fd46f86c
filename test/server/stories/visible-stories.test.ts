// @spec 3.offsetter 3.profile 7.offsetter 7.awardee 7.installers 7.neighbors decisions.5
import { expect, test } from 'vitest';
import { type Neighbors, neighbors as neighborsSchema, type Profile, profile } from '#contract/schemas/stories.ts';
import { chosenNameFailure } from '#domain/names.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));

const timeAt = (second: number) => new Date(Date.UTC(2026, 2, 14, 9, 30, second));

async function readProfile(path: string): Promise<Profile> {
  const response = await app.inject(`/api/orgs/${path}`);
  expect(response.statusCode).toBe(200);
  return profile.strict().parse(response.json());
}

async function readNeighbors(path: string): Promise<Neighbors> {
  const response = await app.inject(`/api/orgs/${path}/neighbours`);
  expect(response.statusCode).toBe(200);
  return neighborsSchema.strict().parse(response.json());
}

async function expectMissing(path: string, code: string): Promise<void> {
  for (const suffix of ['', '/neighbours']) {
    const response = await app.inject(`/api/orgs/${path}${suffix}`);
    expect([response.statusCode, response.json().code], path + suffix).toEqual([404, code]);
  }
}

const NON_PUBLIC = [
  ['a draft', { status: 'draft' }],
  ['taken down', { status: 'hidden' }],
  ['of a hidden donor', { shown_as: 'none' }],
  ['a draft of a donor shown by first name', { status: 'draft', shown_as: 'first' }],
] as const;

test.each(NON_PUBLIC)('an offsetter whose story is %s appears nowhere', async (_what, changes) => {
  const orgId = await addOrg(db);
  const olderId = await addOffsetter(db, orgId, { created_at: timeAt(1) });
  const hiddenId = await addOffsetter(db, orgId, { created_at: timeAt(2), name: 'Unseen', ...changes });
  const newerId = await addOffsetter(db, orgId, { created_at: timeAt(3) });
  const list = await app.inject(`/api/orgs/${orgId}/offsetters`);
  expect(list.json().map(({ id }: Profile) => id)).toEqual([newerId, olderId]);
  await expectMissing(`${orgId}/offsetters/${hiddenId}`, 'offsetter-not-found');
  expect((await readNeighbors(`${orgId}/offsetters/${newerId}`)).next?.id).toBe(olderId);
  expect((await readNeighbors(`${orgId}/offsetters/${olderId}`)).previous?.id).toBe(newerId);
});

test.each([
  ['awardees', 'draft', 'awardee-not-found'],
  ['awardees', 'hidden', 'awardee-not-found'],
  ['installers', 'draft', 'installer-not-found'],
  ['installers', 'hidden', 'installer-not-found'],
] as const)('in the %s, a story that is %s is not listed or linked anywhere', async (kind, status, code) => {
  const orgId = await addOrg(db);
  const olderId = await addStory(db, kind, orgId, { created_at: timeAt(1) });
  const hiddenId = await addStory(db, kind, orgId, { created_at: timeAt(2), name: 'Unseen', status });
  const newerId = await addStory(db, kind, orgId, { created_at: timeAt(3) });
  expect((await app.inject(`/api/orgs/${orgId}/${kind}`)).body).not.toContain('Unseen');
  await expectMissing(`${orgId}/${kind}/${hiddenId}`, code);
  expect((await readNeighbors(`${orgId}/${kind}/${newerId}`)).next?.id).toBe(olderId);
  expect((await readNeighbors(`${orgId}/${kind}/${olderId}`)).previous?.id).toBe(newerId);
});

test('an unvalidated name is shortened and sanitized for display, and the displayed name can be saved', async () => {
  const orgId = await addOrg(db);
  const name = 'Dora\u202E Donor.\nConfirm at evil.example';
  const id = await addOffsetter(db, orgId, { name });
  const longNameId = await addOffsetter(db, orgId, { name: 'Dora '.repeat(19).trim() });
  const readName = async (offsetterId: string) =>
    (await app.inject(`/api/orgs/${orgId}/offsetters/${offsetterId}`)).json<Profile>().name;
  expect(await readName(id)).toBe('Dora Donor. Confirm at evil. example');
  expect(await readName(longNameId)).toBe(`${'Dora '.repeat(12).trim()}…`);
  for (const publicName of [await readName(id), await readName(longNameId)])
    expect(chosenNameFailure(publicName)).toBeUndefined();
});

test('a donor shown by first name only appears that way everywhere', async () => {
  const orgId = await addOrg(db);
  const firstNameStoryId = await addOffsetter(db, orgId, {
    created_at: timeAt(1),
    name: '  Dora  Diane Donor',
    shown_as: 'first',
  });
  const earlierStoryId = await addOffsetter(db, orgId, { created_at: timeAt(2) });
  expect((await readProfile(`${orgId}/offsetters/${firstNameStoryId}`)).name).toBe('Dora');
  expect((await readNeighbors(`${orgId}/offsetters/${earlierStoryId}`)).next?.name).toBe('Dora');
  const list = await app.inject(`/api/orgs/${orgId}/offsetters`);
  expect(list.json().map(({ name }: Profile) => name)).toEqual(['Dora Donor', 'Dora']);
  for (const path of ['', `/${firstNameStoryId}`, `/${earlierStoryId}/neighbours`]) {
    expect((await app.inject(`/api/orgs/${orgId}/offsetters${path}`)).body).not.toContain('Diane');
  }
});

test('neighbors follow the list: previous is newer, next is older', async () => {
  const orgId = await addOrg(db);
  // Stories with the same time are sorted by id.
  const a = await addOffsetter(db, orgId, { id: `${orgId}-a`, created_at: timeAt(1), name: 'Anna' });
  const b = await addOffsetter(db, orgId, { id: `${orgId}-b`, created_at: timeAt(2), name: 'Berta' });
  const c = await addOffsetter(db, orgId, { id: `${orgId}-c`, created_at: timeAt(2), name: 'Carla' });
  const storyFields = (id: string, name: string) =>
    expect.objectContaining({ id, name, profileURL: `/orgs/${orgId}/offsetters/${id}/` });
  expect(await readNeighbors(`${orgId}/offsetters/${c}`)).toEqual({ previous: null, next: storyFields(b, 'Berta') });
  expect(await readNeighbors(`${orgId}/offsetters/${b}`)).toEqual({
    previous: storyFields(c, 'Carla'),
    next: storyFields(a, 'Anna'),
  });
  expect(await readNeighbors(`${orgId}/offsetters/${a}`)).toEqual({ previous: storyFields(b, 'Berta'), next: null });
});

test('a neighbor has only a picture and a story preview', async () => {
  const orgId = await addOrg(db);
  const story = `${'a'.repeat(150)} and the end`;
  const olderId = await addOffsetter(db, orgId, { created_at: timeAt(1), name: 'Anna', story });
  const newerId = await addOffsetter(db, orgId, { created_at: timeAt(2) });
  expect((await readNeighbors(`${orgId}/offsetters/${newerId}`)).next).toEqual({
    id: olderId,
    name: 'Anna',
    photo: null,
    profileURL: `/orgs/${orgId}/offsetters/${olderId}/`,
    preview: `${'a'.repeat(150)}…`,
  });
});

test('the only story has no neighbors', async () => {
  const orgId = await addOrg(db);
  const onlyStoryId = await addStory(db, 'awardees', orgId);
  await addStory(db, 'awardees', await addOrg(db));
  expect(await readNeighbors(`${orgId}/awardees/${onlyStoryId}`)).toEqual({ previous: null, next: null });
});

test('another organization’s or another kind’s story is not found', async () => {
  const [ownOrgId, otherOrgId] = [await addOrg(db), await addOrg(db)];
  const offsetter = await addOffsetter(db, otherOrgId);
  const awardee = await addStory(db, 'awardees', otherOrgId);
  const installer = await addStory(db, 'installers', otherOrgId);
  await expectMissing(`${ownOrgId}/offsetters/${offsetter}`, 'offsetter-not-found');
  await expectMissing(`${ownOrgId}/awardees/${awardee}`, 'awardee-not-found');
  await expectMissing(`${ownOrgId}/installers/${installer}`, 'installer-not-found');
  await expectMissing(`${otherOrgId}/awardees/${offsetter}`, 'awardee-not-found');
  await expectMissing(`${otherOrgId}/installers/${awardee}`, 'installer-not-found');
  await expectMissing(`${otherOrgId}/offsetters/${installer}`, 'offsetter-not-found');
  await expectMissing('nobody/offsetters/nobody', 'org-not-found');
});
