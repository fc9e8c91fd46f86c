// @spec 2.editor
import { expect, test } from 'vitest';
import type { FirstSteps } from '#contract/schemas/first-steps.ts';
import { completeSet } from '#domain/factor-sets.ts';
import { FIRST_STEP_NAMES, type FirstStep, type StepState } from '#domain/first-steps.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

async function createFund() {
  const orgid = await addOrg(db);
  const edith = await signIn(deps, { editorOf: [orgid] });
  const read = async (): Promise<Partial<Record<FirstStep, StepState>>> => {
    const steps = (await call(app, 'readFirstSteps', { params: { orgid }, as: edith })).json<FirstSteps>();
    return Object.fromEntries(steps.map(({ step, state }) => [step, state]));
  };
  const dismiss = (steps: FirstStep[], dismissed = true, as = edith) =>
    call(app, 'dismissFirstSteps', { params: { orgid }, as, body: { steps, dismissed } });
  return { orgid, edith, read, dismiss };
}

const buildStates = (state: StepState) => Object.fromEntries(FIRST_STEP_NAMES.map((step) => [step, state]));

test('a new organization’s first steps are open, and each is done once its data exists', async () => {
  const { orgid, edith, read } = await createFund();
  expect(await read()).toEqual(buildStates('open'));
  const edit = { timeZone: 'America/Denver', typicalGrant: 4500 };
  await call(app, 'editOrg', { params: { orgid }, as: edith, body: edit });
  const choice = { electricity: { region: 'RMPA', year: 2023 } } as const;
  const factors = { choice, reason: 'Our grid', baseVersion: completeSet(undefined).version };
  expect(readOutcome(await call(app, 'chooseFactors', { params: { orgid }, as: edith, body: factors }))).toEqual([200]);
  const text = { org_id: orgid, page: 'home', name: 'intro', markdown: 'Our own words', html: '' };
  await db.kysely.insertInto('cells').values(text).execute();
  await addStory(db, 'awardees', orgid, { status: 'published' });
  await addEditor(db, orgid, (await signIn(deps)).userId, {});
  await addGift(db, orgid);
  expect(await read()).toEqual({ ...buildStates('done'), photo: 'open' });
});

test('an editor can mark steps as done and reopen them', async () => {
  const { orgid, read, dismiss } = await createFund();
  await dismiss(['time-zone', 'share']);
  await dismiss(['time-zone', 'time-zone']);
  expect(await read()).toEqual({ ...buildStates('open'), 'time-zone': 'dismissed', share: 'dismissed' });
  await dismiss(['share'], false);
  expect(await read()).toEqual({ ...buildStates('open'), 'time-zone': 'dismissed' });
  const pageEditor = await signIn(deps, { editorOf: [orgid], role: 'texts' });
  expect(readOutcome(await dismiss(['text'], true, pageEditor))).toEqual([403, 'forbidden']);
});
