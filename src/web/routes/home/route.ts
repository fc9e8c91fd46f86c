import type { Cell } from '#contract/schemas/cells.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { type CellName, isTag } from '#domain/cells.ts';
import type { Dollars, Pounds } from '#domain/money.ts';
import type { ApiClient, LoadedPage } from '#web/api/client.ts';
import { loadCells } from '#web/api/page-cells.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import {
  type CardStory,
  getOtherLanguage,
  loadStories,
  type StoryKind,
  toCardStory,
} from '#web/stories/story-kinds.ts';

/** Contains only the fields that the page renders, since they are embedded in the document. */
export type HomeCell = Pick<Cell, 'language' | 'markdown' | 'html'>;

/** Number of stories of each kind on the home page. */
const STORIES_ON_HOME = 2;

/** The newest stories of each kind from which the home page selects. */
const STORIES_TO_SELECT_FROM = 12;

export type HomeData = {
  readonly cells: Readonly<Record<CellName<'home'>, HomeCell>>;
  readonly stories: Readonly<Record<StoryKind, readonly CardStory[]>>;
  /** Results of the grants so far; undefined if they can't be read. */
  readonly grantResults: { readonly pounds: Pounds; readonly dollars: Dollars | null } | undefined;
  /** The checkout that was canceled on the payment page, whose cart is restored (decisions §3). */
  readonly canceledCheckoutId: string | undefined;
};

/** Every factor set that the organization has chosen, newest first. */
export type NumbersData = { readonly sets: ResponseBody<'readFactors'> };

export const HOME_PAGES: readonly PageRoute[] = [
  orgPage(
    'home-page',
    async () => (await import('./home-page.tsx')).HomePage,
    async ({ api, params, search }) => ({
      ...(await loadHome(api, params.orgid)),
      canceledCheckoutId: search.cancelled,
    }),
    ({ cancelled }) => ({ canceledCheckoutId: cancelled }),
  ),
  orgPage(
    'group-page',
    async () => (await import('./group/group-page.tsx')).GroupPage,
    () => ({}),
  ),
  orgPage(
    'numbers-page',
    async () => (await import('./numbers/numbers-page.tsx')).NumbersPage,
    async ({ api, params }) => ({ sets: await api.call('readFactors', { params }) }),
  ),
  orgPage(
    'pounds-page',
    async () => (await import('./pounds/pounds-page.tsx')).PoundsPage,
    async ({ api, params }) => ({ pounds: await api.call('readPounds', { params }) }),
  ),
];

async function loadHome(api: ApiClient, orgId: string): Promise<Omit<HomeData, 'canceledCheckoutId'>> {
  const query = { max: STORIES_TO_SELECT_FROM };
  const [cells, offsetters, installers, awardees, pounds] = await Promise.all([
    loadCells(api, orgId, 'home'),
    loadStories(api, orgId, 'offsetters', query),
    loadStories(api, orgId, 'installers', query),
    loadStories(api, orgId, 'awardees', query),
    api.call('readPounds', { params: { orgid: orgId } }).catch(() => undefined),
  ]);
  const homeCells = Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, toHomeCell(cell)]),
  ) as HomeData['cells'];
  const toCards = ({ items }: LoadedPage<Profile>) => selectStories(items).map(toCardStory);
  const stories = { offsetters: toCards(offsetters), installers: toCards(installers), awardees: toCards(awardees) };
  const grantResults = pounds && {
    pounds: pounds.totals.deliveredPounds,
    dollars: pounds.money.paid,
  };
  return { cells: homeCells, stories, grantResults };
}

/** Selects the newest stories in the page's language, and fills up with the newest in the other language. */
export function selectStories<Story extends Pick<Profile, 'language'>>(newestStories: readonly Story[]): Story[] {
  const own = newestStories.filter((story) => getOtherLanguage(story) === undefined);
  const other = newestStories.filter((story) => getOtherLanguage(story) !== undefined);
  return [...own, ...other].slice(0, STORIES_ON_HOME);
}

/** The page shows rendered HTML, except for the tag, which is plain text. */
function toHomeCell(cell: Cell): HomeCell {
  const { language, markdown, html } = cell;
  return isTag(cell) ? { language, markdown, html: '' } : { language, markdown: '', html };
}
