import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { PAGES, type PageName, pagePath, RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Picture } from '#contract/schemas/shared.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { previewStory } from '#domain/story-preview.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addCell } from '#test/support/builders/cell.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createPhotoColumn } from '#test/support/builders/photo.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readAttributes, readBody, readCompactText, readElementContents } from '#test/support/read-document.ts';
import { startRenderedSite } from '#test/support/rendered-site.ts';

/** Text that must not break a page. */
const NAME = 'Ada “Lovelace” <b> & O’Brien 🏠';
const STORY = `We fly & drive; "it adds up". </p><script>alert(1)</script>\n\nSo we give. ${'And again. '.repeat(20)}`;

const db = await createTestDatabase();
const orgId = await addOrg(db, {
  name: 'Fund <of> “Ithaca” & more',
  tag: 'Warm homes & <cooler> planet',
  photo: createPhotoColumn(),
});
const offsetterId = await addOffsetter(db, orgId, { name: NAME, story: STORY, photo: createPhotoColumn() });
await addOffsetter(db, orgId, { name: 'Without Photo' });
const awardeeId = await addStory(db, 'awardees', orgId, { name: 'The Okafor family', photo: createPhotoColumn() });
await addStory(db, 'awardees', orgId, { name: 'Awarded Later', photo: createPhotoColumn() });
const installerId = await addStory(db, 'installers', orgId, { name: 'Snug House Co.', photo: createPhotoColumn() });
await addCell(db, orgId, {
  page: 'home',
  name: 'city',
  html: '<h2>Where a grant goes</h2><p>Into <strong>attics</strong>.</p>',
});
await addCell(db, orgId, { page: 'about', name: 'people', html: '<h3>Edith, chair</h3><p>Since 2019.</p>' });
await inTransaction(db, (tx) =>
  postEntry(tx, {
    orgId,
    kind: 'payment',
    fact: 'a gift',
    currency: 'usd',
    occurredAt: new Date(),
    amount: 1_234_500,
    carbon: 9_876_540_000,
  }),
);

const site = await startRenderedSite(db, { settings: { defaultOrg: orgId } });
const params = { orgid: orgId, offsetterid: offsetterId, awardeeid: awardeeId, installerid: installerId };
/** An organization with hidden awardees, so it has a future awardees page. */
const youngOrgId = await addOrg(db, { no_awardees: true });
const pageAddress = (name: PageName, orgPage = name) =>
  fillPath<string>(PAGES[name], orgPage === 'future-awardees-page' ? { ...params, orgid: youngOrgId } : params);

async function readResponse<Body>(name: CallName, query = '', targetOrgId = orgId): Promise<Body> {
  const response = await site.get(
    API_BASE + fillPath<string>(CALLS[name].path, { ...params, orgid: targetOrgId }) + query,
  );
  expect(response.statusCode, name).toBe(200);
  return response.json<Body>();
}

/** Text, images, and link targets that a page must contain with JavaScript disabled. */
type Content = {
  readonly words: readonly string[];
  readonly pictures: readonly Picture[];
  readonly links: readonly string[];
};

const readCells = async (page: string) => {
  const cells = await readResponse<Cell[]>('readCells', `?page=${page}`);
  return Object.fromEntries(cells.map(({ name, html }) => [name, html]));
};
const findLinks = (...markup: string[]) => markup.flatMap((part) => readAttributes(part, 'a', 'href'));
const profileContent = (profiles: readonly Profile[]): Content => ({
  words: profiles.flatMap(({ name, story }) => [escapeHtml(name), escapeHtml(previewStory(story))]),
  pictures: profiles.flatMap(({ photo }) => photo ?? []),
  links: profiles.map(({ profileURL }) => profileURL),
});
const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

async function listContent(page: 'offsetters' | 'awardees' | 'installers', call: CallName): Promise<Content> {
  const profiles = await readResponse<Profile[]>(call);
  const { intro = '' } = await readCells(page);
  const content = profileContent(profiles);
  return { ...content, words: [intro, ...content.words], links: [...content.links, ...findLinks(intro)] };
}

async function storyContent(call: CallName, list: PageName): Promise<Content> {
  const { name, story, photo } = await readResponse<Profile>(call);
  return {
    words: [escapeHtml(name), ...story.split(/\n+/).map(escapeHtml)],
    pictures: photo ? [photo] : [],
    links: [pageAddress(list)],
  };
}

/** Every rendered page by address, with its required content. */
const CONTENTS: Readonly<Record<string, () => Promise<Content>>> = {
  '/orgs/:orgid': async () => {
    const { intro = '', community = '', city = '' } = await readCells('home');
    const [stories, { photo }] = [
      await Promise.all([
        readResponse<Profile[]>('readOffsetters', '?max=2'),
        readResponse<Profile[]>('readInstallers', '?max=2'),
        readResponse<Profile[]>('readAwardees', '?max=2'),
      ]),
      await readResponse<{ photo: Picture }>('readOrg'),
    ];
    const content = profileContent(stories.flat());
    return {
      words: [
        'Warm homes &amp; &lt;cooler> planet',
        ...[intro, community, city, '$12,345', '987,654'],
        '$25 funds about a ton of grant work.',
        ...content.words,
      ],
      pictures: [photo, ...content.pictures],
      links: [
        ...content.links,
        `${pageAddress('donate-page')}?amount=25`,
        `${pageAddress('donate-page')}?amount=500`,
        ...(['offsetters-page', 'installers-page', 'awardees-page', 'donate-page', 'pounds-page'] as const).map(
          (page) => pageAddress(page),
        ),
      ],
    };
  },
  '/orgs/:orgid/offsetters': () => listContent('offsetters', 'readOffsetters'),
  '/orgs/:orgid/offsetters/:offsetterid/': () => storyContent('readOffsetter', 'offsetters-page'),
  '/orgs/:orgid/awardees': () => listContent('awardees', 'readAwardees'),
  '/orgs/:orgid/awardees/:awardeeid/': () => storyContent('readAwardee', 'awardees-page'),
  '/orgs/:orgid/installers': () => listContent('installers', 'readInstallers'),
  '/orgs/:orgid/installers/:installerid/': () => storyContent('readInstaller', 'installers-page'),
  '/orgs/:orgid/future-awardees': async () => ({
    words: ['How to apply: coming soon...'],
    pictures: [],
    links: [pageAddress('help-page', 'future-awardees-page')],
  }),
  '/orgs/:orgid/help': async () => {
    const cells = Object.values(await readCells('help'));
    expect(cells).toHaveLength(5);
    return {
      words: cells,
      pictures: [],
      links: [`mailto:${PARENT.contactEmail}?subject=Help%20with%20my%20home`, ...findLinks(...cells)],
    };
  },
  '/orgs/:orgid/about': async () => ({
    words: [...Object.values(PARENT), ...Object.values(await readCells('about'))],
    pictures: [],
    links: [`mailto:${PARENT.contactEmail}`, pageAddress('faqs-page'), pageAddress('numbers-page')],
  }),
  '/orgs/:orgid/privacy': async () => ({
    words: ['Your card or bank account number never reaches this site.', 'erased after 90 days'],
    pictures: [],
    links: [pagePath('account-page', {}), `mailto:${PARENT.contactEmail}`],
  }),
  '/orgs/:orgid/faqs': async () => {
    const { questions = '' } = await readCells('faq');
    const ids = [...questions.matchAll(/<h3 id="([^"]+)"/g)].map(([, id]) => `#${id}`);
    expect(ids.length).toBeGreaterThanOrEqual(12);
    return { words: [questions], pictures: [], links: [...ids, ...findLinks(questions), pageAddress('numbers-page')] };
  },
  '/orgs/:orgid/donate': async () => ({ words: [(await readCells('donate')).intro ?? ''], pictures: [], links: [] }),
  '/orgs/:orgid/group': async () => ({
    words: ['Estimate for a group', 'A wedding', 'This page needs JavaScript'],
    pictures: [],
    links: [],
  }),
  '/orgs/:orgid/numbers': async () => ({
    words: [
      '39.28',
      'Others publish 19.36 to 26.34.',
      '2,740 lb',
      '1,756 lb',
      '1,203 to 4,535 lb using other published figures',
      '77 to 105 lb using other published figures',
      'GHG Emission Factors Hub, 2025',
      'From a copy or transcript',
      'Puerto Rico Miscellaneous',
      '1.543073',
    ],
    pictures: [],
    links: [
      pageAddress('faqs-page'),
      pageAddress('pounds-page'),
      'https://fingerlakesclimatefund.org/faq/',
      'https://www.epa.gov/system/files/documents/2025-06/summary_tables_rev2.xlsx',
    ],
  }),
  '/orgs/:orgid/pounds': async () => ({
    words: [
      'Donors to Fund &lt;of> “Ithaca” &amp; more have paid to offset 987,654 lb of carbon. No grants are recorded here yet',
      '$12,345.00',
      'Download as CSV',
    ],
    pictures: [],
    links: [
      pageAddress('numbers-page'),
      'https://www.osti.gov/biblio/814412',
      ...(['readPounds', 'downloadPounds'] as const).map(
        (name) => API_BASE + fillPath<string>(CALLS[name].path, params),
      ),
    ],
  }),
  '/orgs/:orgid/qrcode': async () => ({
    words: ['Scan the QR code to visit Fund &lt;of> “Ithaca” &amp; more'],
    pictures: [],
    links: [],
  }),
};

test('every rendered page has a content check', () => {
  expect(Object.keys(CONTENTS).toSorted()).toEqual(RENDERED_PAGES.map((name) => PAGES[name]).toSorted());
});

/** Pages that every page links to. */
const FOOTER_PAGES = [
  'home-page',
  'offsetters-page',
  'awardees-page',
  'installers-page',
  'faqs-page',
  'about-page',
  'pounds-page',
  'donate-page',
  'help-page',
  'qrcode-page',
  'privacy-page',
] as const satisfies readonly PageName[];

test.each(RENDERED_PAGES)('%s has its text, pictures, and links without JavaScript', async (name) => {
  const body = readBody(await site.readDocument(pageAddress(name)));
  const { words, pictures, links } = (await CONTENTS[PAGES[name]]?.()) ?? { words: ['?'], pictures: [], links: [] };
  const letters = readCompactText(body);
  for (const part of words) expect(letters).toContain(readCompactText(part));
  const images = readAttributes(body, 'img', 'src');
  const sources = readAttributes(body, 'img', 'srcSet').join();
  for (const { url, sources: imageSources } of pictures) {
    expect(images).toContain(url);
    for (const { url: sourceUrl, width } of imageSources) expect(sources).toContain(`${sourceUrl} ${width}w`);
  }
  const targets = readAttributes(body, 'a', 'href');
  for (const link of links) expect(targets).toContain(link);
  // The header and footer links that every page has.
  const footerPages = FOOTER_PAGES.map((footerPage) =>
    name === 'future-awardees-page' && footerPage === 'awardees-page' ? name : footerPage,
  );
  expect(targets).toEqual(
    expect.arrayContaining([
      ...footerPages.map((footerPage) => pageAddress(footerPage, name)),
      `mailto:${PARENT.contactEmail}`,
    ]),
  );
  expect(letters).toContain(readCompactText(`City Climate Fund is a program of ${PARENT.name}.`));
  expect(letters).toContain(readCompactText(`EIN ${PARENT.ein}${PARENT.address}`));
  // One link in the header and one in the footer.
  const path = pageAddress(name);
  expect(
    targets.filter((target) => target === `/es${path}`),
    name,
  ).toHaveLength(2);
  expect(body.match(/<h1[ >]/g)).toHaveLength(1);
  expect(body).not.toContain('<script>alert');
});

test.each(['offsetter-page', 'awardee-page', 'installer-page'] as const)(
  'the main photo of %s loads first',
  async (name) => {
    const [, article = ''] = readBody(await site.readDocument(pageAddress(name))).split('<article');
    expect(/<img[^>]*>/.exec(article)?.[0]).toMatch(/ loading="eager" fetchpriority="high"/i);
  },
);

test('a fund that doesn’t accept applications shows its contact address instead of how to apply', async () => {
  const { id, contactEmail } = { id: await addOrg(db, { takes_applications: false }), ...PARENT };
  const document = await site.readDocument(pagePath('help-page', { orgid: id }));
  const body = readBody(document);
  expect(readCompactText(body)).toContain(readCompactText('Ithaca Climate Fund isn’t taking applications right now.'));
  expect(readCompactText(body)).toContain(readCompactText(`If you have a question, email ${contactEmail}.`));
  expect(readAttributes(body, 'a', 'href')).toContain(`mailto:${contactEmail}`);
  expect(readCompactText(body)).not.toContain(readCompactText('How to apply'));
  expect(document).toContain('content="Ithaca Climate Fund isn’t taking applications right now."');
});

test('the about page shows no people until an editor saves their text', async () => {
  const id = await addOrg(db);
  const page = pagePath('about-page', { orgid: id });
  expect(await site.readDocument(page)).not.toContain('The people</h2>');
  await site.changeAndWait(() => addCell(db, id, { page: 'about', name: 'people', html: '<h3>Edith, chair</h3>' }));
  expect(readBody(await site.readDocument(page))).toContain('The people</h2>');
});

test('the settings add a registration sentence to every footer and a report to the about page', async () => {
  const stateRegistration = 'Registered with the New York Charities Bureau.';
  const annualReportUrl = 'https://civic.example/report.pdf';
  const siteWithSettings = await startRenderedSite(db, {
    settings: { defaultOrg: orgId, stateRegistration, annualReportUrl },
  });
  const about = readBody(await siteWithSettings.readDocument(pageAddress('about-page')));
  expect(about).toContain(`${stateRegistration}</p></footer>`);
  expect(readAttributes(about, 'a', 'href')).toContain(annualReportUrl);
  expect(await siteWithSettings.readDocument(pageAddress('faqs-page'))).toContain(`${stateRegistration}</p></footer>`);
});

test('the awardees page, the pages of awardees and installers, and the FAQ ask households whether they need help', async () => {
  for (const name of ['awardees-page', 'awardee-page', 'installer-page', 'faqs-page'] as const) {
    const question = 'Do you need help with your home?';
    expect(readBody(await site.readDocument(pageAddress(name))), name).toContain(
      `href="${pageAddress('help-page')}">${question}</a>`,
    );
  }
  expect(readBody(await site.readDocument(pageAddress('offsetter-page')))).not.toContain('Do you need help');
});

test('a Spanish story on an English page is labeled as Spanish and has a lang attribute', async () => {
  const id = await addOrg(db);
  const story = 'Cuido a cinco niños en mi sala, y los niños viven en el piso.';
  const awardee = await addStory(db, 'awardees', id, { story });
  const paths = [
    pagePath('home-page', { orgid: id }),
    pagePath('awardees-page', { orgid: id }),
    pagePath('awardee-page', { orgid: id, awardeeid: awardee }),
  ];
  for (const path of paths) {
    const body = readBody(await site.readDocument(path));
    expect(body, path).toMatch(/<(?:p|div) lang="es" class="[^"]*">(?:<p dir="auto">)?Cuido a cinco niños/);
    expect(body, path).toMatch(/\(in Spanish\)|This story is in Spanish\./);
  }
  expect(readBody(await site.readDocument(pageAddress('awardee-page')))).not.toContain('in Spanish');
});

test('the Donate page shows the newest home whose story is in the page’s language', async () => {
  const id = await addOrg(db);
  const english = {
    name: 'Ruth',
    story: 'In the winter we had ice on the inside of the windows.',
    created_at: new Date(0),
  };
  const spanish = { name: 'Elena', story: 'Cuido a cinco niños en mi sala, y los niños viven en el piso.' };
  await addStory(db, 'awardees', id, english);
  await addStory(db, 'awardees', id, spanish);
  expect(readBody(await site.readDocument(pagePath('donate-page', { orgid: id })))).toContain('>Ruth</h2>');
});

test('pages of awardees and installers invite visitors to donate and show no date; offsetters’ pages invite them to offset', async () => {
  for (const name of ['awardee-page', 'installer-page'] as const) {
    const page = readBody(await site.readDocument(pageAddress(name)));
    expect(page).toContain('>Help warm the next home</a>');
    expect(page).toContain('>Do you need help with your home?</a>');
    expect(page).not.toMatch(/<time|Offset yours/);
  }
  const offsetter = readBody(await site.readDocument(pageAddress('offsetter-page')));
  expect(offsetter).toContain('>Offset yours</a>');
  expect(offsetter).toContain('<time');
});

test.each(RENDERED_PAGES)('every picture of %s has its size and a description', async (name) => {
  const images = readBody(await site.readDocument(pageAddress(name))).match(/<img [^>]*>/g) ?? [];
  for (const image of images) {
    expect(image).toMatch(/ alt="/);
    if (!image.includes('alt=""')) expect(image).toMatch(/ width="\d+" height="\d+"/);
  }
});

test.each(RENDERED_PAGES)('%s embeds its data so the browser doesn’t request it again', async (name) => {
  const document = await site.readDocument(pageAddress(name));
  const pageData = JSON.parse(readElementContents(document, 'script', 'id="page-data"')[0] ?? 'null') as Record<
    string,
    unknown
  >;
  expect(pageData.name).toBe(name);
  expect(pageData.org).toEqual(await readResponse('readOrg', '', name === 'future-awardees-page' ? youngOrgId : orgId));
  expect(pageData.site).toEqual(await readResponse('readSite'));
  expect(pageData.data).toBeTypeOf('object');
});

test.each(RENDERED_PAGES)('%s has one canonical address', async (name) => {
  const canonical = `https://fund.example${pageAddress(name)}`;
  const alternateAddress = pageAddress(name).endsWith('/') ? pageAddress(name).slice(0, -1) : `${pageAddress(name)}/`;
  for (const url of [pageAddress(name), alternateAddress, `${alternateAddress}?utm_source=mail`]) {
    expect(readAttributes(await site.readDocument(url), 'link', 'href'), url).toContain(canonical);
  }
});

test('no page has inline styles, scripts, or handlers', async () => {
  for (const name of RENDERED_PAGES) {
    const markup = readBody(await site.readDocument(pageAddress(name)));
    expect(markup.match(/ style="| on[a-z]+="|javascript:/g), name).toBeNull();
  }
});

test('with a test key for the card processor, every page shows that gifts don’t count', async () => {
  const testModeSite = await startRenderedSite(db, { settings: { defaultOrg: orgId }, livemode: false });
  for (const name of RENDERED_PAGES) {
    expect(readCompactText(readBody(await testModeSite.readDocument(pageAddress(name)))), name).toContain(
      readCompactText('No cards are charged here'),
    );
    expect(readCompactText(readBody(await site.readDocument(pageAddress(name)))), name).not.toContain(
      readCompactText('No cards are charged here'),
    );
  }
});
