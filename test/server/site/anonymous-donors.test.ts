// @spec decisions.5
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { API_BASE, CALLS, callPath } from '#contract/calls.ts';
import { PAGES, type PageName, RENDERED_PAGES, UNCACHED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { orgShareImagePath, storyShareImagePath } from '#contract/share-images.ts';
import type { AppDeps } from '#server/deps.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { profileForm } from '#test/support/builders/profile-form.ts';
import { addStory } from '#test/support/builders/story.ts';
import { testDatabase } from '#test/support/database.ts';
import { plainPhoto } from '#test/support/photos.ts';
import { documentOf, renderedSite } from '#test/support/rendered-site.ts';

const db = await testDatabase();
/** Images whose bytes are their text. */
const shareImages: AppDeps['shareImages'] = {
  open: async (facts) => {
    const image = Buffer.from(JSON.stringify(facts));
    return { stream: Readable.from([image], { objectMode: false }), bytes: image.length, tag: 'image' };
  },
  drop: async () => {},
};
const orgid = await addOrg(db);
const site = await renderedSite(db, { shareImages, defaultOrg: orgid });
const photo = await plainPhoto(96, 64).jpeg().toBuffer();
const awardeeid = await addStory(db, 'awardees', orgid);
const installerid = await addStory(db, 'installers', orgid);

/** Makes a gift and submits a story with the form. */
async function give(name: string, shownAs: string) {
  const checkoutid = await addCheckout(db, orgid, { payment_status: 'paid', paid_at: new Date() });
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@private.example`;
  const form = new Response(profileForm({ checkoutId: checkoutid, fields: { name, shownAs, email }, photo }));
  const response = await site.app.inject({
    method: 'PUT',
    url: callPath('submitProfile', { orgid, checkoutid }),
    headers: { 'x-requested-with': 'test', 'content-type': form.headers.get('content-type') ?? '' },
    payload: Buffer.from(await form.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  return { checkoutid, offsetterid: response.json<SubmittedProfile>().id };
}

type SubmittedStory = Awaited<ReturnType<typeof give>>;

/** Everything that a visitor can read about an organization and an offsetter with a status. */
async function publicResponses({ checkoutid, offsetterid }: SubmittedStory): Promise<ReadonlyMap<string, string>> {
  const params = { orgid, checkoutid, offsetterid, awardeeid, installerid };
  const pages: readonly PageName[] = [...RENDERED_PAGES, ...UNCACHED_PAGES];
  const readCalls = Object.values(CALLS).filter(
    ({ method, path }) =>
      method === 'GET' &&
      /^\/orgs(?:$|\/:orgid(?:$|\/(?:changes|cells|checkouts|offsetters|awardees|installers)))/.test(path),
  );
  const paths = [
    ...pages.map((name) => fillPath<string>(PAGES[name], params)),
    ...readCalls
      .filter(({ path }) => !path.includes(':page') && !path.endsWith('/edit'))
      .map(({ path }) => API_BASE + fillPath<string>(path, params)),
    `/${orgid}`,
    '/sitemap.xml',
    orgShareImagePath(orgid),
    storyShareImagePath(orgid, 'offsetters', offsetterid),
  ];
  return responsesAt(paths);
}

async function responsesAt(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const responses = new Map<string, string>();
  for (const path of paths) {
    const response = await site.get(path.endsWith('/changes') ? `${path}?since=0` : path);
    responses.set(path, `${response.statusCode} ${JSON.stringify(response.headers)} ${documentOf(response)}`);
  }
  return responses;
}

/** Responses that contain the words. */
function pathsWith(responses: ReadonlyMap<string, string>, words: RegExp): string[] {
  return [...responses].filter(([, response]) => words.test(response)).map(([path]) => path);
}

test('a donor is shown everywhere by first name only, and a hidden donor appears nowhere', async () => {
  const first = await give('Florentine Hiddensurname', 'first');
  const nobody = await give('Nobodina Unseenname', 'none');
  await give('Wholly Shownname', 'full');
  for (const story of [first, nobody]) {
    const responses = await publicResponses(story);
    expect(pathsWith(responses, /Hiddensurname|Nobodina|Unseenname|private\.example/i)).toEqual([]);
    // The same places do show donors who agreed.
    expect(pathsWith(responses, /Florentine/).length).toBeGreaterThanOrEqual(3);
    expect(pathsWith(responses, /Shownname/).length).toBeGreaterThanOrEqual(3);
    const isShown = story === first;
    expect(responses.get('/sitemap.xml')?.includes(story.offsetterid)).toBe(isShown);
    const ownResponses = [...responses].filter(([path]) => path.includes(story.offsetterid));
    expect(ownResponses.map(([, response]) => response.slice(0, 3))).toEqual(
      ownResponses.map(() => (isShown ? '200' : '404')),
    );
  }
  const image = await site.get(storyShareImagePath(orgid, 'offsetters', first.offsetterid));
  expect(image.json()).toMatchObject({ title: 'Florentine' });
});

test('a donor’s choice of less visibility takes effect immediately', async () => {
  const story = await give('Changing Formername', 'full');
  const places = pathsWith(await publicResponses(story), /Formername/);
  expect(places.length).toBeGreaterThanOrEqual(3);
  const show = (shown_as: 'first' | 'none') =>
    site.afterChange(() =>
      db.kysely.updateTable('offsetters').set({ shown_as }).where('id', '=', story.offsetterid).execute(),
    );
  await show('first');
  expect(pathsWith(await responsesAt(places), /Formername/)).toEqual([]);
  await show('none');
  expect(pathsWith(await responsesAt(places), /Formername|Changing/)).toEqual([]);
});
