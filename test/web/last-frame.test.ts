import { expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { type Screen, withLastFrame } from '#web/app/screens.ts';
import { Redirect } from '#web/navigation/navigator.ts';

// Frames don't use the other fields.
const ourOrg = { id: 'ours' } as Org;
const site = { parentName: 'Our Parent' } as Site;
const screen: Screen = { name: 'home-page', org: ourOrg, site, content: { kind: 'missing' } };
const failedScreen: Screen = {
  name: undefined,
  org: undefined,
  site: undefined,
  content: { kind: 'error', error: 'away' },
};

/** Creates a loader that returns these screens in order. */
function createLoader(...screens: readonly (Screen | Redirect)[]) {
  const remainingScreens = [...screens];
  return withLastFrame(async () => remainingScreens.shift() ?? failedScreen);
}

test('a page that failed to load is shown in the previous page’s frame', async () => {
  const load = createLoader(screen, failedScreen);
  await load('/orgs/ours');
  expect(await load('/orgs/ours/offsetters')).toEqual({ ...failedScreen, org: ourOrg, site });
});

test('a page without an organization is shown in the last frame if it fails to load', async () => {
  const load = createLoader(screen, new Redirect('/login'), failedScreen);
  await load('/orgs/ours');
  await load('/user-home');
  expect(await load('/login')).toMatchObject({ org: ourOrg, site });
});

test('one organization’s frame is never shown around another’s page', async () => {
  const load = createLoader(screen, failedScreen);
  await load('/orgs/ours');
  expect(await load('/orgs/theirs')).toEqual({ ...failedScreen, org: undefined, site });
});

test('no frame is kept before the first page loads', async () => {
  expect(await createLoader(failedScreen)('/orgs/ours')).toEqual(failedScreen);
});

test('a loaded page is shown in its own frame', async () => {
  const screenWithoutOrg: Screen = { ...screen, org: undefined };
  const load = createLoader(screen, screenWithoutOrg);
  await load('/orgs/ours');
  expect(await load('/nowhere')).toBe(screenWithoutOrg);
});
