import type { Cell } from '#contract/schemas/cells.ts';
import type { Answer } from '#contract/schemas.ts';
import { type CellName, isTag } from '#domain/cells.ts';
import type { ApiClient } from '#web/api/client.ts';
import { loadCells } from '#web/api/page-cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';
import { type CardStory, cardStory, loadStories, type StoryKind, type StoryList } from '#web/stories/story-kinds.ts';

/** The document holds all that the page gets. */
export type ShownCell = Pick<Cell, 'language' | 'markdown' | 'html'>;

/** How many stories of each kind the home page shows. */
const STORIES_ON_HOME = 2;

export type HomeData = {
  readonly cells: Readonly<Record<CellName<'home'>, ShownCell>>;
  readonly stories: Readonly<Record<StoryKind, readonly CardStory[]>>;
  /** The checkout that was canceled on the payment page, whose cart is restored (decisions §3). */
  readonly cancelledCheckoutId: string | undefined;
};

/** Every set of factors that the organization ever chose, the newest first. */
export type NumbersData = { readonly sets: Answer<'readFactors'> };

export const HOME_PAGES: readonly Page[] = [
  orgPage(
    'home-page',
    async () => (await import('./home-page.tsx')).HomePage,
    async ({ api, params, search }) => ({
      ...(await loadHome(api, params.orgid)),
      cancelledCheckoutId: search.cancelled,
    }),
    ({ cancelled }) => ({ cancelledCheckoutId: cancelled }),
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

async function loadHome(api: ApiClient, orgid: string): Promise<Omit<HomeData, 'cancelledCheckoutId'>> {
  const few = { max: STORIES_ON_HOME };
  const [cells, offsetters, installers, awardees] = await Promise.all([
    loadCells(api, orgid, 'home'),
    loadStories(api, orgid, 'offsetters', few),
    loadStories(api, orgid, 'installers', few),
    loadStories(api, orgid, 'awardees', few),
  ]);
  const shown = Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, shownCell(cell)]),
  ) as HomeData['cells'];
  const cardsOf = ({ items }: StoryList) => items.map(cardStory);
  const stories = { offsetters: cardsOf(offsetters), installers: cardsOf(installers), awardees: cardsOf(awardees) };
  return { cells: shown, stories };
}

/** The page shows the rendered text alone; only the tag is shown as it was written. */
function shownCell(cell: Cell): ShownCell {
  const { language, markdown, html } = cell;
  return isTag(cell) ? { language, markdown, html: '' } : { language, markdown: '', html };
}
