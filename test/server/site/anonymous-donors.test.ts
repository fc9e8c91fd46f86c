// @spec decisions.5
import { expect, test } from 'vitest';
import { API_BASE, CALLS, callPath } from '#contract/calls.ts';
import { PAGES, type PageName, RENDERED_PAGES, VISITOR_RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { orgShareImagePath, storyShareImagePath } from '#contract/share-images.ts';
import type { AppDeps } from '#server/deps.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createProfileForm } from '#test/support/builders/profile-form.ts';
import { addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createPlainPhoto } from '#test/support/photos.ts';
import { decompressDocument, startRenderedSite } from '#test/support/rendered-site.ts';

const db = await createTestDatabase();
/** Share images whose bytes are the JSON of their facts. */
const shareImages: AppDeps['shareImages'] = {
  open: async (facts) => ({ png: Buffer.from(JSON.stringify(facts)), tag: 'image' }),
};
const orgId = await addOrg(db);
const site = await startRenderedSite(db, { shareImages, settings: { defaultOrg: orgId } });
const photo = await createPlainPhoto(96, 64).jpeg().toBuffer();
const awardeeId = await addStory(db, 'awardees', orgId);
const installerId = await addStory(db, 'installers', orgId);

/** Makes a gift and submits a story with the form. */
async function giveWithStory(name: string, shownAs: string) {
  const checkoutId = await addCheckout(db, orgId, { payment_status: 'paid', paid_at: new Date() });
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@private.example`;
  const form = new Response(createProfileForm({ checkoutId, fields: { name, shownAs, email }, photo }));
  const response = await site.app.inject({
    method: 'PUT',
    url: callPath('submitProfile', { orgid: orgId, checkoutid: checkoutId }),
    headers: { 'x-requested-with': 'test', 'content-type': form.headers.get('content-type') ?? '' },
    payload: Buffer.from(await form.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  return { checkoutid: checkoutId, offsetterid: response.json<SubmittedProfile>().id };
}

type SubmittedStory = Awaited<ReturnType<typeof giveWithStory>>;

/** Fetches every public route about an organization and an offsetter. */
async function fetchPublicResponses({
  checkoutid: checkoutId,
  offsetterid: offsetterId,
}: SubmittedStory): Promise<ReadonlyMap<string, string>> {
  const params = {
    orgid: orgId,
    checkoutid: checkoutId,
    offsetterid: offsetterId,
    awardeeid: awardeeId,
    installerid: installerId,
  };
  const pages: readonly PageName[] = [...RENDERED_PAGES, ...VISITOR_RENDERED_PAGES];
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
    `/${orgId}`,
    '/sitemap.xml',
    orgShareImagePath(orgId),
    storyShareImagePath(orgId, 'offsetters', offsetterId),
  ];
  return fetchResponses(paths);
}

async function fetchResponses(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const responses = new Map<string, string>();
  for (const path of paths) {
    const response = await site.get(path.endsWith('/changes') ? `${path}?since=0` : path);
    responses.set(path, `${response.statusCode} ${JSON.stringify(response.headers)} ${decompressDocument(response)}`);
  }
  return responses;
}

/** Finds the paths of responses that match a pattern. */
function findPaths(responses: ReadonlyMap<string, string>, pattern: RegExp): string[] {
  return [...responses].filter(([, response]) => pattern.test(response)).map(([path]) => path);
}

test('a first-name donor appears everywhere by first name only, and a hidden donor appears nowhere', async () => {
  const firstNameStory = await giveWithStory('Florentine Hiddensurname', 'first');
  const hiddenStory = await giveWithStory('Nobodina Unseenname', 'none');
  await giveWithStory('Wholly Shownname', 'full');
  for (const story of [firstNameStory, hiddenStory]) {
    const responses = await fetchPublicResponses(story);
    expect(findPaths(responses, /Hiddensurname|Nobodina|Unseenname|private\.example/i)).toEqual([]);
    // The same responses contain donors who agreed.
    expect(findPaths(responses, /Florentine/).length).toBeGreaterThanOrEqual(3);
    expect(findPaths(responses, /Shownname/).length).toBeGreaterThanOrEqual(3);
    const isShown = story === firstNameStory;
    expect(responses.get('/sitemap.xml')?.includes(story.offsetterid)).toBe(isShown);
    const ownResponses = [...responses].filter(([path]) => path.includes(story.offsetterid));
    expect(ownResponses.map(([, response]) => response.slice(0, 3))).toEqual(
      ownResponses.map(() => (isShown ? '200' : '404')),
    );
  }
  const image = await site.get(storyShareImagePath(orgId, 'offsetters', firstNameStory.offsetterid));
  expect(image.json()).toMatchObject({ title: 'Florentine' });
});

test('a donor’s choice of less visibility takes effect immediately', async () => {
  const story = await giveWithStory('Changing Formername', 'full');
  const paths = findPaths(await fetchPublicResponses(story), /Formername/);
  expect(paths.length).toBeGreaterThanOrEqual(3);
  const setVisibility = (shown_as: 'first' | 'none') =>
    site.changeAndWait(() =>
      db.kysely.updateTable('offsetters').set({ shown_as }).where('id', '=', story.offsetterid).execute(),
    );
  await setVisibility('first');
  expect(findPaths(await fetchResponses(paths), /Formername/)).toEqual([]);
  await setVisibility('none');
  expect(findPaths(await fetchResponses(paths), /Formername|Changing/)).toEqual([]);
});
