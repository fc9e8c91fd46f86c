import { inLanguage } from '#contract/languages.ts';
import { PAGES, type PageName, RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { ShareImageKind } from '#contract/share-images.ts';
import { LANGUAGES } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { profilePath } from '#server/entities/present-profile.ts';
import { html } from '#server/http/html.ts';
import { countUpTo, endOfPart, MAPPED_LISTS, type MappedList, type MappedRow, mappedRows } from './site-map.store.ts';

/** The limit on addresses in one file (sitemaps.org). */
export const MOST_ADDRESSES = 50_000;
/** Rows read at a time. */
const ROWS_AT_ONCE = 1000;

export type SiteMapDeps = Pick<AppDeps, 'db' | 'publicUrl'>;

/** The public pages that every organization has. Future awardees takes the place of awardees where there are none. */
const ORG_PAGES = RENDERED_PAGES.filter(
  (name) => /^\/orgs\/:orgid[^:]*$/.test(PAGES[name]) && name !== 'future-awardees-page',
);
/** Their content changes with the organization, so the map says when it last did. */
const DATED_PAGES: readonly PageName[] = ['home-page', 'offsetters-page', 'awardees-page', 'installers-page'];

const STORY_KINDS = { offsetters: 'offsetter', awardees: 'awardee', installers: 'installer' } as const;

const addressesOf = (list: MappedList) => (list === 'orgs' ? ORG_PAGES.length : 1) * LANGUAGES.length;

/**
 * The site map: every address that search engines may show, or, where these are more than one file may have, the
 * addresses of its parts. In pieces, as they are read.
 * @param most how many addresses a file may have
 */
export async function* siteMap(deps: SiteMapDeps, most = MOST_ADDRESSES): AsyncGenerator<string> {
  const lists: MappedList[] = [];
  let addresses = 0;
  for (const list of MAPPED_LISTS) {
    const rows = await countUpTo(deps.db, list, most + 1);
    addresses += rows * addressesOf(list);
    if (rows > 0) lists.push(list);
  }
  if (addresses > most) return yield* partsOfMap(deps, lists, most);
  yield SET.start;
  for (const list of lists) yield* addressesIn(deps, list, undefined, Number.POSITIVE_INFINITY);
  yield SET.end;
}

/** One part of the site map: the addresses of a list after the row with an id; undefined if there are none. */
export async function siteMapPart(
  deps: SiteMapDeps,
  list: MappedList,
  after: string | undefined,
  most = MOST_ADDRESSES,
): Promise<AsyncGenerator<string> | undefined> {
  const addresses = addressesIn(deps, list, after, rowsIn(list, most));
  const first = await addresses.next();
  if (first.done || first.value === '') return undefined;
  const whole = async function* () {
    yield SET.start + first.value;
    yield* addresses;
    yield SET.end;
  };
  return whole();
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const SET = { start: `${XML}<urlset ${NAMES} ${LINKS}>\n`, end: '</urlset>\n' };
const INDEX = { start: `${XML}<sitemapindex ${NAMES}>\n`, end: '</sitemapindex>\n' };

const rowsIn = (list: MappedList, most: number) => Math.floor(most / addressesOf(list));

async function* partsOfMap(
  { db, publicUrl }: SiteMapDeps,
  lists: readonly MappedList[],
  most: number,
): AsyncGenerator<string> {
  yield INDEX.start;
  for (const list of lists) {
    const size = rowsIn(list, most);
    let after: string | undefined;
    do {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
      yield html`<sitemap><loc>${publicUrl()}/sitemaps/${list}.xml${query}</loc></sitemap>\n`.text;
      after = await endOfPart(db, list, { after, size });
    } while (after !== undefined);
  }
  yield INDEX.end;
}

async function* addressesIn(
  { db, publicUrl }: SiteMapDeps,
  list: MappedList,
  from: string | undefined,
  most: number,
): AsyncGenerator<string> {
  let after = from;
  for (let left = most; left > 0; left -= ROWS_AT_ONCE) {
    const rows = await mappedRows(db, list, { after, max: Math.min(left, ROWS_AT_ONCE) });
    yield rows.map((row) => entriesOf(list, row, publicUrl())).join('');
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.id;
  }
}

function entriesOf(list: MappedList, row: MappedRow, publicUrl: string): string {
  if (list !== 'orgs') return entries(publicUrl, storyPath(list, row), row.changedAt);
  return ORG_PAGES.map((name) => {
    const shown = name === 'awardees-page' && row.noAwardees ? 'future-awardees-page' : name;
    const path = fillPath<string>(PAGES[shown], { orgid: row.orgId });
    return entries(publicUrl, path, DATED_PAGES.includes(name) ? row.changedAt : null);
  }).join('');
}

const storyPath = (list: ShareImageKind, { orgId, id }: MappedRow) => profilePath(STORY_KINDS[list], orgId, id);

/** A page in every language, each with the others. */
function entries(publicUrl: string, path: string, changedAt: Date | null): string {
  const since = changedAt ? html`<lastmod>${changedAt.toISOString()}</lastmod>` : '';
  const addresses = LANGUAGES.map((language) => ({ language, address: publicUrl + inLanguage(path, language) }));
  const links = addresses.map(
    ({ language, address }) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${address}"/>`,
  );
  return addresses.map(({ address }) => html`<url><loc>${address}</loc>${since}${links}</url>\n`.text).join('');
}
