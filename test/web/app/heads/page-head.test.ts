import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { PageName } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { buildPageHead } from '#web/app/heads/page-head.ts';
import type { Screen } from '#web/app/screens.ts';

const PUBLIC = 'https://fund.example';
const NO_STATS = { co2: 0, gas: 0, funds: 0, grants: 0 };
const ORG: Org = {
  id: 'ithaca',
  slug: 'ith',
  name: 'Ithaca Fund',
  tag: 'Warm homes',
  version: 1,
  photo: null,
  photoURL: null,
  stats: NO_STATS,
  statsDelta: NO_STATS,
  noAwardees: false,
  takesApplications: true,
  isSample: false,
  timeZone: 'UTC',
  place: '',
  homeCity: null,
  typicalGrant: null,
  savingYears: 20,
  statsUpdatedTimestamp: '2026-01-01T00:00:00.000Z',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
};
const SITE = {
  parentName: 'Parent Org',
  parentEin: '12-3456789',
  parentAddress: '1 Street',
  contactEmail: 'us@example.org',
} as Site;
const PROFILE: Profile = {
  id: 'd1',
  name: 'Dora Donor',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/ithaca/offsetters/d1/',
  story:
    'We fly once a year.\n\nThat should warm a home. And much more is to be told of it, since there was a winter without heat before.',
  createdTimestamp: '2026-02-03T04:05:06.789Z',
};
const PHOTO = {
  url: '/media/k/1200.webp',
  width: 1200,
  height: 800,
  sources: [{ url: '/media/k/320.webp', width: 320 }],
};

const cell = (html: string) => ({
  page: 'p',
  name: 'n',
  markdown: html.replace(/<h3[^>]*>(.*?)<\/h3>/g, '\n### $1\n'),
  html,
  isDefault: false,
  createdTimestamp: null,
});
const buildHead = (name: PageName, data: object = {}, org = ORG) => {
  const screen: Screen = {
    name,
    org,
    site: SITE,
    content: { kind: 'page', module: name, data, element: () => createElement('p') },
  };
  return buildPageHead(screen, { title: 'A title', publicUrl: PUBLIC });
};
/** Finds the structured data of a type, which appears at most once. */
const findStructuredData = (head: { structuredData: readonly object[] }, type: string) => {
  const match = head.structuredData.filter((item) => '@type' in item && item['@type'] === type);
  expect(match.length, type).toBeLessThanOrEqual(1);
  return match[0];
};

test('a story’s metadata has its first sentences, share image, author, and date', () => {
  const head = buildHead('offsetter-page', { profile: PROFILE, neighbors: {} });
  expect(head).toMatchObject({
    title: 'A title',
    description:
      'We fly once a year. That should warm a home. And much more is to be told of it, since there was a winter without heat before.',
    siteName: 'Ithaca Fund',
    canonical: 'https://fund.example/orgs/ithaca/offsetters/d1/',
    image: {
      url: 'https://fund.example/media/cards/ithaca/offsetters/d1.png',
      width: 1200,
      height: 630,
      alt: 'Dora Donor’s story',
    },
    article: { author: 'Dora Donor', published: '2026-02-03T04:05:06.789Z' },
    isIndexed: true,
  });
});

test.each([
  ['offsetter-page', 'offsetters', 'Offsetters'],
  ['awardee-page', 'awardees', 'Awardees'],
  ['installer-page', 'installers', 'Installers'],
] as const)('%s has article and breadcrumb metadata', (name, kind, list) => {
  const profileURL = `/orgs/ithaca/${kind}/d1/`;
  const head = buildHead(name, { profile: { ...PROFILE, profileURL, photo: PHOTO, photoURL: PHOTO.url } });
  expect(findStructuredData(head, 'Article')).toMatchObject({
    '@context': 'https://schema.org',
    headline: 'Dora Donor’s story',
    author: { '@type': 'Person', name: 'Dora Donor' },
    datePublished: '2026-02-03T04:05:06.789Z',
    image: ['https://fund.example/media/k/1200.webp', `https://fund.example/media/cards/ithaca/${kind}/d1.png`],
    mainEntityOfPage: `https://fund.example${profileURL}`,
    publisher: { '@type': 'Organization', name: 'Ithaca Fund' },
  });
  expect(findStructuredData(head, 'BreadcrumbList')).toMatchObject({
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Ithaca Fund', item: 'https://fund.example/orgs/ithaca' },
      { position: 2, name: list, item: `https://fund.example/orgs/ithaca/${kind}` },
      { position: 3, name: 'Dora Donor', item: `https://fund.example${profileURL}` },
    ],
  });
});

test('a story without a photo uses its share image as its picture', () => {
  const article = findStructuredData(buildHead('offsetter-page', { profile: PROFILE }), 'Article');
  expect(article).toMatchObject({ image: ['https://fund.example/media/cards/ithaca/offsetters/d1.png'] });
});

test.each(['home-page', 'about-page'] as const)('%s has metadata about its site and program', (name) => {
  expect(findStructuredData(buildHead(name), 'Organization')).toMatchObject({
    '@context': 'https://schema.org',
    name: 'Ithaca Fund',
    slogan: 'Warm homes',
    url: 'https://fund.example/orgs/ithaca',
    logo: 'https://fund.example/img/icon-512.png',
    image: 'https://fund.example/media/cards/ithaca.png',
    parentOrganization: {
      '@type': 'Organization',
      name: 'Parent Org',
      taxID: '12-3456789',
      address: '1 Street',
      email: 'us@example.org',
    },
  });
});

test('the FAQ has metadata for its questions and answers, if any', () => {
  const html =
    '<p>Before.</p><h3 id="who">Who?</h3><p>You &#x26; <em>I</em>.</p><h3 id="why">Why?</h3><p>It is cold.</p>';
  expect(findStructuredData(buildHead('faqs-page', { cells: { questions: cell(html) } }), 'FAQPage')).toMatchObject({
    mainEntity: [
      { '@type': 'Question', name: 'Who?', acceptedAnswer: { '@type': 'Answer', text: 'You & I.' } },
      { '@type': 'Question', name: 'Why?', acceptedAnswer: { '@type': 'Answer', text: 'It is cold.' } },
    ],
  });
  expect(
    findStructuredData(buildHead('faqs-page', { cells: { questions: cell('<p>None.</p>') } }), 'FAQPage'),
  ).toBeUndefined();
});

const INTRO = {
  intro: cell('<h2>Heading</h2><p>Neighbors who <strong>give</strong> &#x26; tell why. </p><ul><li>point</li></ul>'),
};

test.each([
  ['home-page', { cells: INTRO }, '/orgs/ithaca'],
  ['donate-page', { cells: INTRO }, '/orgs/ithaca/donate'],
  ['offsetters-page', INTRO, '/orgs/ithaca/offsetters'],
  ['awardees-page', INTRO, '/orgs/ithaca/awardees'],
  ['installers-page', INTRO, '/orgs/ithaca/installers'],
] as const)('%s is described by the paragraphs of its introduction', (name, data, path) => {
  const head = buildHead(name, data);
  expect(head).toMatchObject({
    description: 'Neighbors who give & tell why.',
    canonical: PUBLIC + path,
    article: undefined,
  });
  expect(head.image).toMatchObject({
    url: 'https://fund.example/media/cards/ithaca.png',
    alt: 'Ithaca Fund: Warm homes',
  });
  expect(findStructuredData(head, 'Article')).toBeUndefined();
});

test.each(['about-page', 'faqs-page', 'qrcode-page', 'future-awardees-page'] as const)(
  '%s is described by a default sentence with the organization’s name',
  (name) => {
    const { description } = buildHead(name, name === 'faqs-page' ? { cells: { questions: cell('<p>x</p>') } } : {});
    expect(description).toMatch(/^[A-Z].*Ithaca Fund.*\.$/);
    expect(description.length).toBeLessThanOrEqual(155);
  },
);

test('an empty introduction falls back to a sentence that fits every organization', () => {
  expect(buildHead('offsetters-page', { intro: cell('') }).description).toMatch(/^Estimate the carbon/);
});

test('the home page has no breadcrumbs', () => {
  expect(findStructuredData(buildHead('home-page'), 'BreadcrumbList')).toBeUndefined();
  expect(findStructuredData(buildHead('donate-page'), 'BreadcrumbList')).toMatchObject({
    itemListElement: [{ name: 'Ithaca Fund' }, { name: 'Donate', item: 'https://fund.example/orgs/ithaca/donate' }],
  });
});

test('a missing page has no address, picture, or metadata', () => {
  const screen: Screen = { name: 'offsetter-page', org: ORG, site: SITE, content: { kind: 'missing' } };
  expect(buildPageHead(screen, { title: 'Page not found', publicUrl: PUBLIC })).toMatchObject({
    title: 'Page not found',
    isIndexed: false,
    canonical: undefined,
    image: undefined,
    structuredData: [],
  });
});
