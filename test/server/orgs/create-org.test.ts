// @spec 1.admins 7.create-org 8.strings
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { CELL_PAGES } from '#domain/cells.ts';
import { sendInvitationEmail } from '#server/features/editors/editor-emails.job.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);
const admin = await signIn(deps, { name: 'Ada Admin', admin: true });

const NEW_ORG = { name: 'Elmira Climate Fund', tag: 'Warm homes for Elmira', email: 'first@example.org' };
const createOrg = (body: object, as = admin) => call(app, 'createOrg', { params: {}, as, body });
const readSlugs = async () => (await db.kysely.selectFrom('orgs').select('slug').execute()).map(({ slug }) => slug);

test('a new organization has only a name, tag, slug, and an invited first editor', async () => {
  const response = await createOrg({ ...NEW_ORG, slug: 'elmira', name: ' Elmira Climate Fund ', tag: 'Warm\n homes' });
  expect(response.statusCode).toBe(200);
  const { id, ...extraFields } = response.json<ResponseBody<'createOrg'>>();
  expect(extraFields).toEqual({});
  const zeroStats = { co2: 0, gas: 0, funds: 0, grants: 0 };
  expect((await call(app, 'readOrg', { params: { orgid: id } })).json()).toMatchObject({
    id,
    slug: 'elmira',
    name: 'Elmira Climate Fund',
    tag: 'Warm homes',
    photo: null,
    photoURL: null,
    stats: zeroStats,
    statsDelta: zeroStats,
    noAwardees: false,
    takesApplications: true,
    isSample: false,
    createdTimestamp: clock.now().toISOString(),
  });
  const team = (await call(app, 'readEditors', { params: { orgid: id }, as: admin })).json<
    ResponseBody<'readEditors'>
  >();
  expect(team.editors).toEqual([]);
  expect(team.invitations).toMatchObject([{ email: 'first@example.org' }]);
  expect(jobs.findPayloads(sendInvitationEmail)).toEqual([{ orgId: id, invitationId: team.invitations[0]?.id }]);
  const cells = (await call(app, 'readCells', { params: { orgid: id } })).json<ResponseBody<'readCells'>>();
  expect(new Set(cells.map(({ page }) => page))).toEqual(new Set(CELL_PAGES));
  expect(cells.every(({ html }) => html !== '')).toBe(true);
  expect(await verifyLedger(db)).toEqual([]);
});

test('an organization gets the chosen time zone, or New York’s', async () => {
  const readTimeZone = async (body: object) => {
    const { id } = (await createOrg({ ...NEW_ORG, ...body })).json<ResponseBody<'createOrg'>>();
    return (await call(app, 'readOrg', { params: { orgid: id } })).json<ResponseBody<'readOrg'>>().timeZone;
  };
  expect(await readTimeZone({ slug: 'mesa', timeZone: 'America/Denver' })).toBe('America/Denver');
  expect(await readTimeZone({ slug: 'coast' })).toBe('America/New_York');
});

test('an organization’s id keeps the first slug even after the slug changes', async () => {
  const firstId = (await createOrg({ ...NEW_ORG, slug: 'readable' })).json<ResponseBody<'createOrg'>>().id;
  expect(firstId).toBe('readable');
  await call(app, 'editOrg', { params: { orgid: firstId }, as: admin, body: { slug: 'renamed' } });
  const secondId = (await createOrg({ ...NEW_ORG, slug: 'readable' })).json<ResponseBody<'createOrg'>>().id;
  expect(secondId).toMatch(/^readable-[\w-]{6}$/);
  expect((await call(app, 'readOrgs', { params: {}, query: { slug: 'readable' } })).json()).toMatchObject([
    { id: secondId },
  ]);
});

test('the newest organization is listed first', async () => {
  clock.advance(MINUTE);
  const { id } = (await createOrg({ ...NEW_ORG, slug: 'newest' })).json();
  expect((await call(app, 'readOrgs', { params: {} })).json()[0].id).toBe(id);
});

test('a first editor with an account gets the role right away', async () => {
  const nora = await signIn(deps, { name: 'Nora', email: 'nora@example.org' });
  const { id } = (await createOrg({ ...NEW_ORG, slug: 'noras-fund', email: ' Nora@Example.org ' })).json();
  const settings = await call(app, 'readOrgSettings', { params: { orgid: id }, as: nora });
  expect([settings.statusCode, settings.json().adjustments]).toEqual([200, []]);
  // Creating an organization doesn't make the admin its editor (decisions §4).
  expect(readOutcome(await call(app, 'readOrgSettings', { params: { orgid: id }, as: admin }))).toEqual([
    403,
    'forbidden',
  ]);
});

test.each([
  [{ name: 'ab' }, 'name-too-short', 'name'],
  [{ name: '' }, 'no-name', 'name'],
  [{ slug: '' }, 'no-slug', 'slug'],
  [{ slug: 'Elmira' }, 'slug-invalid', 'slug'],
  [{ slug: '<script>' }, 'slug-invalid', 'slug'],
  [{ slug: 'admin' }, 'slug-reserved', 'slug'],
  [{ tag: ' ' }, 'no-tag', 'tag'],
  [{ tag: 'x'.repeat(161) }, 'tag-too-long', 'tag'],
  [{ timeZone: 'Mars/Olympus' }, 'time-zone-unknown', 'timeZone'],
  [{ email: '' }, 'no-email', 'email'],
  [{ email: 'nobody' }, 'invalid-email', 'email'],
  [{ tag: 'a\u0007b' }, 'invalid-input', 'tag'],
  [{ isSample: true }, 'invalid-input', 'isSample'],
])('%j creates no organization: %s', async (invalidFields, code, field) => {
  const initialSlugs = await readSlugs();
  const response = await createOrg({ ...NEW_ORG, slug: 'never-made', ...invalidFields });
  expect(response.json()).toMatchObject({ code, field });
  expect(await readSlugs()).toEqual(initialSlugs);
});

test('a taken slug is rejected, even for the second of two simultaneous requests', async () => {
  await addOrg(db, { slug: 'taken' });
  const response = await createOrg({ ...NEW_ORG, slug: 'taken' });
  expect(response.json()).toMatchObject({ status: 409, code: 'slug-taken', field: 'slug' });
  expect(response.json().detail).toBe('“taken” is already taken. Please choose another slug.');
  const responses = await Promise.all([
    createOrg({ ...NEW_ORG, slug: 'at-once' }),
    createOrg({ ...NEW_ORG, slug: 'at-once' }),
  ]);
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('creating an organization needs a recent confirmation because it creates an editor', async () => {
  const lateAdmin = await signIn(deps, { admin: true });
  const expiredAt = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely
    .updateTable('sessions')
    .set({ authenticated_at: expiredAt })
    .where('id', '=', lateAdmin.sessionId)
    .execute();
  expect(readOutcome(await createOrg({ ...NEW_ORG, slug: 'too-late' }, lateAdmin))).toEqual([
    401,
    'confirmation-required',
  ]);
  expect(await readSlugs()).not.toContain('too-late');
  await addUser(db);
});
