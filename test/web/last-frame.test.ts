import { expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { keepFrame, type Screen } from '#web/app/screens.ts';
import { Redirect } from '#web/navigation/navigator.ts';

// A frame only uses their names.
const ours = { id: 'ours' } as Org;
const site = { parentName: 'Our Parent' } as Site;
const screen: Screen = { name: 'home-page', org: ours, site, content: { kind: 'missing' } };
const failed: Screen = { name: undefined, org: undefined, site: undefined, content: { kind: 'error', error: 'away' } };

/** Loads these screens one after another. */
function loaderOf(...screens: readonly (Screen | Redirect)[]) {
  const remaining = [...screens];
  return keepFrame(async () => remaining.shift() ?? failed);
}

test('a page that failed to load is shown in the previous page’s frame', async () => {
  const load = loaderOf(screen, failed);
  await load('/orgs/ours');
  expect(await load('/orgs/ours/offsetters')).toEqual({ ...failed, org: ours, site });
});

test('a page without an organization is shown in the last frame if it fails to load', async () => {
  const load = loaderOf(screen, new Redirect('/login'), failed);
  await load('/orgs/ours');
  await load('/user-home');
  expect(await load('/login')).toMatchObject({ org: ours, site });
});

test('one organization’s frame is never shown around another’s page', async () => {
  const load = loaderOf(screen, failed);
  await load('/orgs/ours');
  expect(await load('/orgs/theirs')).toEqual({ ...failed, org: undefined, site });
});

test('no frame is kept before the first page loads', async () => {
  expect(await loaderOf(failed)('/orgs/ours')).toEqual(failed);
});

test('a loaded page is shown in its own frame', async () => {
  const screenWithoutOrg: Screen = { ...screen, org: undefined };
  const load = loaderOf(screen, screenWithoutOrg);
  await load('/orgs/ours');
  expect(await load('/nowhere')).toBe(screenWithoutOrg);
});
