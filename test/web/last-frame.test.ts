import { expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { keepFrame, type Screen } from '#web/app/screens.ts';
import { Redirect } from '#web/navigation/navigator.ts';

// Only their names matter to a frame.
const ours = { id: 'ours' } as Org;
const site = { parentName: 'Our Parent' } as Site;
const shown: Screen = { name: 'home-page', org: ours, site, content: { kind: 'missing' } };
const failed: Screen = { name: undefined, org: undefined, site: undefined, content: { kind: 'error', error: 'away' } };

/** Loads these screens, one after the other. */
function loaderOf(...screens: readonly (Screen | Redirect)[]) {
  const left = [...screens];
  return keepFrame(async () => left.shift() ?? failed);
}

test('a page that could not be loaded is shown in the frame of the page before it', async () => {
  const load = loaderOf(shown, failed);
  await load('/orgs/ours');
  expect(await load('/orgs/ours/offsetters')).toEqual({ ...failed, org: ours, site });
});

test('a page of no organization that could not be loaded is shown in the last frame, too', async () => {
  const load = loaderOf(shown, new Redirect('/login'), failed);
  await load('/orgs/ours');
  await load('/user-home');
  expect(await load('/login')).toMatchObject({ org: ours, site });
});

test('the frame of one organization is never shown around a page of another', async () => {
  const load = loaderOf(shown, failed);
  await load('/orgs/ours');
  expect(await load('/orgs/theirs')).toEqual({ ...failed, org: undefined, site });
});

test('before any page has come there is no frame to keep', async () => {
  expect(await loaderOf(failed)('/orgs/ours')).toEqual(failed);
});

test('what came is shown as it came', async () => {
  const other: Screen = { ...shown, org: undefined };
  const load = loaderOf(shown, other);
  await load('/orgs/ours');
  expect(await load('/nowhere')).toBe(other);
});
