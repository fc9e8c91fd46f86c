import type { Cell } from '#contract/schemas/cells.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Neighbours, Profile } from '#contract/schemas/stories.ts';
import { CELLS, type CellName, type CellPage } from '#domain/cells.ts';
import type { ApiClient, ListAnswer } from './api/client.ts';

/** What every page of an organisation is given beside its own data. */
export type OrgFrame = { readonly org: Org; readonly site: Site };

/** What every page is given; one whose address names no organisation stands in the frame of one that is near. */
export type SiteFrameData = { readonly org: Org | undefined; readonly site: Site };

/** The editable texts of one page, by name. */
export type PageCells<Page extends CellPage> = Readonly<Record<CellName<Page>, Cell>>;

/** The three kinds of stories: who gave, who was granted, who did the work. */
export type StoryKind = 'offsetters' | 'awardees' | 'installers';
export type StoryList = ListAnswer<'readOffsetters' | 'readAwardees' | 'readInstallers'>;

/** How many stories of each kind the home page shows. */
const STORIES_ON_HOME = 2;

export type HomeData = {
  readonly cells: PageCells<'home'>;
  readonly stories: Readonly<Record<StoryKind, readonly Profile[]>>;
  /** The checkout that was cancelled on the payment page, to bring its cart back (decisions §3). */
  readonly cancelledCheckoutId: string | undefined;
};
export type StoryListData = { readonly intro: Cell; readonly list: StoryList };
export type StoryData = { readonly profile: Profile; readonly neighbours: Neighbours };
export type FaqData = { readonly cells: PageCells<'faq'> };
export type DonateData = { readonly cells: PageCells<'donate'> };
export type CheckoutData = {
  readonly checkout: Checkout;
  readonly cells: PageCells<'checkout'>;
  /** The key of the receipt's link, which keeps a paid checkout open for 30 days. */
  readonly receipt: string | undefined;
};

export async function loadHome(api: ApiClient, orgid: string): Promise<Omit<HomeData, 'cancelledCheckoutId'>> {
  const few = { max: STORIES_ON_HOME };
  const [cells, offsetters, installers, awardees] = await Promise.all([
    loadCells(api, orgid, 'home'),
    loadStories(api, orgid, 'offsetters', few),
    loadStories(api, orgid, 'installers', few),
    loadStories(api, orgid, 'awardees', few),
  ]);
  return { cells, stories: { offsetters: offsetters.items, installers: installers.items, awardees: awardees.items } };
}

export async function loadStoryList(api: ApiClient, orgid: string, kind: StoryKind): Promise<StoryListData> {
  const [cells, list] = await Promise.all([loadCells(api, orgid, kind), loadStories(api, orgid, kind, {})]);
  return { intro: cells.intro, list };
}

/** One page of stories, newest first, from the one after `cursorRef` on. */
export function loadStories(
  api: ApiClient,
  orgid: string,
  kind: StoryKind,
  query: { max?: number; cursorRef?: string },
): Promise<StoryList> {
  const input = { params: { orgid }, query };
  if (kind === 'offsetters') return api.list('readOffsetters', input);
  return kind === 'awardees' ? api.list('readAwardees', input) : api.list('readInstallers', input);
}

export async function loadStory(api: ApiClient, orgid: string, kind: StoryKind, id: string): Promise<StoryData> {
  const [profile, neighbours] = await Promise.all(storyCalls(api, orgid, kind, id));
  return { profile, neighbours };
}

function storyCalls(
  api: ApiClient,
  orgid: string,
  kind: StoryKind,
  id: string,
): [Promise<Profile>, Promise<Neighbours>] {
  if (kind === 'offsetters') {
    const params = { orgid, offsetterid: id };
    return [api.call('readOffsetter', { params }), api.call('readOffsetterNeighbours', { params })];
  }
  if (kind === 'awardees') {
    const params = { orgid, awardeeid: id };
    return [api.call('readAwardee', { params }), api.call('readAwardeeNeighbours', { params })];
  }
  const params = { orgid, installerid: id };
  return [api.call('readInstaller', { params }), api.call('readInstallerNeighbours', { params })];
}

export async function loadCheckout(
  api: ApiClient,
  orgid: string,
  checkoutid: string,
  receipt: string | undefined,
): Promise<CheckoutData> {
  const [checkout, cells] = await Promise.all([
    api.call('readCheckout', { params: { orgid, checkoutid }, query: receipt === undefined ? {} : { receipt } }),
    loadCells(api, orgid, 'checkout'),
  ]);
  return { checkout, cells, receipt };
}

/** Every cell of a page, asked for in one call. */
export async function loadCells<Page extends CellPage>(
  api: ApiClient,
  orgid: string,
  page: Page,
): Promise<PageCells<Page>> {
  const cells = await api.call('readCells', { params: { orgid }, query: { page } });
  const named = CELLS[page].map((name) => [name, cells.find((cell) => cell.name === name) ?? emptyCell(page, name)]);
  return Object.fromEntries(named);
}

/** Stands for a cell that an older server does not know yet. */
function emptyCell(page: string, name: string): Cell {
  return { page, name, markdown: '', html: '', isDefault: true, createdTimestamp: null };
}
