import { localizeAddress } from '#contract/languages.ts';
import { PAGES, type PageName, RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { ShareImageKind } from '#contract/share-images.ts';
import { LANGUAGES } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { getProfilePath } from '#server/entities/present-profile.ts';
import { html } from '#server/http/html.ts';
import {
  countRowsUpTo,
  findPartEnd,
  listSiteMapRows,
  SITE_MAP_LISTS,
  type SiteMapList,
  type SiteMapRow,
} from './site-map.store.ts';

/** Maximum number of addresses in one file (sitemaps.org). */
export const MAX_ADDRESSES = 50_000;
const BATCH_SIZE = 1000;

export type SiteMapDeps = Pick<AppDeps, 'db' | 'publicUrl'>;

/** The public pages of every organization. In organizations without awardees, future-awardees replaces awardees. */
const ORG_PAGES = RENDERED_PAGES.filter(
  (name) => /^\/orgs\/:orgid[^:]*$/.test(PAGES[name]) && name !== 'future-awardees-page',
);
/** Pages with a date in the site map, because their content changes with the organization. */
const DATED_PAGES: readonly PageName[] = ['home-page', 'offsetters-page', 'awardees-page', 'installers-page'];

const STORY_KINDS = { offsetters: 'offsetter', awardees: 'awardee', installers: 'installer' } as const;

const addressesPerRow = (list: SiteMapList) => (list === 'orgs' ? ORG_PAGES.length : 1) * LANGUAGES.length;

/**
 * Generates the site map in chunks: every address that search engines may list or, if the addresses don't fit in one
 * file, an index of the site map's parts.
 * @param max addresses in a file
 */
export async function* generateSiteMap(deps: SiteMapDeps, max = MAX_ADDRESSES): AsyncGenerator<string> {
  const lists: SiteMapList[] = [];
  let addressCount = 0;
  for (const list of SITE_MAP_LISTS) {
    const rowCount = await countRowsUpTo(deps.db, list, max + 1);
    addressCount += rowCount * addressesPerRow(list);
    if (rowCount > 0) lists.push(list);
  }
  if (addressCount > max) return yield* generateSiteMapIndex(deps, lists, max);
  yield URL_SET.start;
  for (const list of lists) yield* streamAddresses(deps, list, undefined, Number.POSITIVE_INFINITY);
  yield URL_SET.end;
}

/** Generates a part of the site map: a list's addresses after the row with the id `after`; undefined if the part is empty. */
export async function generateSiteMapPart(
  deps: SiteMapDeps,
  list: SiteMapList,
  after: string | undefined,
  max = MAX_ADDRESSES,
): Promise<AsyncGenerator<string> | undefined> {
  const addresses = streamAddresses(deps, list, after, rowsPerFile(list, max));
  const firstChunk = await addresses.next();
  if (firstChunk.done || firstChunk.value === '') return undefined;
  const file = async function* () {
    yield URL_SET.start + firstChunk.value;
    yield* addresses;
    yield URL_SET.end;
  };
  return file();
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINK_NAMESPACE = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const URL_SET = { start: `${XML}<urlset ${NAMESPACE} ${LINK_NAMESPACE}>\n`, end: '</urlset>\n' };
const INDEX = { start: `${XML}<sitemapindex ${NAMESPACE}>\n`, end: '</sitemapindex>\n' };

const rowsPerFile = (list: SiteMapList, max: number) => Math.floor(max / addressesPerRow(list));

async function* generateSiteMapIndex(
  { db, publicUrl }: SiteMapDeps,
  lists: readonly SiteMapList[],
  max: number,
): AsyncGenerator<string> {
  yield INDEX.start;
  for (const list of lists) {
    const size = rowsPerFile(list, max);
    let after: string | undefined;
    do {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
      yield html`<sitemap><loc>${publicUrl()}/sitemaps/${list}.xml${query}</loc></sitemap>\n`.text;
      after = await findPartEnd(db, list, { after, size });
    } while (after !== undefined);
  }
  yield INDEX.end;
}

async function* streamAddresses(
  { db, publicUrl }: SiteMapDeps,
  list: SiteMapList,
  start: string | undefined,
  max: number,
): AsyncGenerator<string> {
  let after = start;
  for (let remaining = max; remaining > 0; remaining -= BATCH_SIZE) {
    const rows = await listSiteMapRows(db, list, { after, max: Math.min(remaining, BATCH_SIZE) });
    yield rows.map((row) => renderRowEntries(list, row, publicUrl())).join('');
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)?.id;
  }
}

function renderRowEntries(list: SiteMapList, row: SiteMapRow, publicUrl: string): string {
  if (list !== 'orgs') return renderPageEntries(publicUrl, storyPath(list, row), row.changedAt);
  return ORG_PAGES.map((name) => {
    const page = name === 'awardees-page' && row.noAwardees ? 'future-awardees-page' : name;
    const path = fillPath<string>(PAGES[page], { orgid: row.orgId });
    return renderPageEntries(publicUrl, path, DATED_PAGES.includes(name) ? row.changedAt : null);
  }).join('');
}

const storyPath = (list: ShareImageKind, { orgId, id }: SiteMapRow) => getProfilePath(STORY_KINDS[list], orgId, id);

/** Renders an entry for each language of a page, with links to all of them. */
function renderPageEntries(publicUrl: string, path: string, changedAt: Date | null): string {
  const lastModified = changedAt ? html`<lastmod>${changedAt.toISOString()}</lastmod>` : '';
  const addresses = LANGUAGES.map((language) => ({ language, address: publicUrl + localizeAddress(path, language) }));
  const links = addresses.map(
    ({ language, address }) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${address}"/>`,
  );
  return addresses.map(({ address }) => html`<url><loc>${address}</loc>${lastModified}${links}</url>\n`.text).join('');
}
