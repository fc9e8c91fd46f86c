import {
  type AnyRouter,
  type AsyncRouteComponent,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  type RouterHistory,
  redirect,
  useMatches,
} from '@tanstack/react-router';
import { createElement } from 'react';
import { PAGES, type PageName, type PageParams, pagePath, RESERVED_SLUGS } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { ApiProblem } from './api/api-error.ts';
import type { ApiClient } from './api/client.ts';
import type { AppContext } from './app-context.ts';
import { loadCells, loadCheckout, loadHome, loadStory, loadStoryList, type OrgFrame } from './page-data.ts';
import { ErrorPage } from './pages/error-page.tsx';
import { LoadingPage } from './pages/loading-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { SiteFrame } from './pages/site-frame.tsx';

/** Search parameters as the plain texts they are: the router would read an id such as 1e10 as a number. */
type Search = Readonly<Record<string, string>>;

type OrgPageName = { [Name in PageName]: (typeof PAGES)[Name] extends `/orgs/${string}` ? Name : never }[PageName];
type PageInput<Name extends PageName> = {
  readonly api: ApiClient;
  readonly params: PageParams<Name>;
  readonly search: Search;
};

const ORG_PATH = '/orgs/$orgid';

const rootRoute = createRootRouteWithContext<AppContext>()({
  component: Root,
  loader: ({ context }) => context.api.call('readSite', {}),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The frame stays while pages change; its organisation is that of the address, once it is known. */
function Root() {
  const org = useMatches<AnyRouter, Org | undefined>({
    select: (matches) => matches.find(({ routeId }) => routeId === orgRoute.id)?.loaderData,
  });
  return (
    <SiteFrame org={org} site={rootRoute.useLoaderData()}>
      <Outlet />
    </SiteFrame>
  );
}

/** `/` leads to the home of the default organisation (§2). */
const defaultOrgRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: routerPath('default-org'),
  loader: async ({ context }) => {
    const { defaultOrg } = await context.api.call('readSite', {});
    throw redirect({ to: pagePath('home-page', { orgid: defaultOrg }), replace: true });
  },
});

const orgRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: ORG_PATH,
  loader: ({ context, params: { orgid } }) => found(context.api.call('readOrg', { params: { orgid } })),
});

/** A page of an organisation: what it shows, and the one place where its data is asked for. */
function orgPage<Name extends OrgPageName, Data extends object>(
  name: Name,
  page: AsyncRouteComponent<OrgFrame & Data>,
  load: (input: PageInput<Name>) => Data | Promise<Data>,
) {
  const route = createRoute({
    getParentRoute: () => orgRoute,
    path: routerPath(name).slice(ORG_PATH.length) || '/',
    loaderDeps: ({ search }: { search: Search }) => search,
    loader: ({ context: { api }, params, deps: search }) =>
      // The parameters are those of the page's own path, which the router does not know by its type.
      found(Promise.resolve(load({ api, params: params as PageParams<Name>, search }))),
  });
  const Page = () => {
    const frame: OrgFrame = { org: orgRoute.useLoaderData(), site: rootRoute.useLoaderData() };
    const data: Data = route.useLoaderData();
    return createElement(page, { ...frame, ...data });
  };
  return route.update({ component: Object.assign(Page, { preload: () => page.preload?.() }) });
}

/** Every page of an organisation, in the order of §2. */
const orgPages = [
  orgPage(
    'home-page',
    lazyRouteComponent(() => import('./pages/home-page.tsx'), 'HomePage'),
    async ({ api, params, search }) => ({
      ...(await loadHome(api, params.orgid)),
      cancelledCheckoutId: search.cancelled,
    }),
  ),
  orgPage(
    'offsetters-page',
    lazyRouteComponent(() => import('./pages/offsetters-page.tsx'), 'OffsettersPage'),
    ({ api, params }) => loadStoryList(api, params.orgid, 'offsetters'),
  ),
  orgPage(
    'offsetter-page',
    lazyRouteComponent(() => import('./pages/offsetter-page.tsx'), 'OffsetterPage'),
    ({ api, params }) => loadStory(api, params.orgid, 'offsetters', params.offsetterid),
  ),
  orgPage(
    'awardees-page',
    lazyRouteComponent(() => import('./pages/awardees-page.tsx'), 'AwardeesPage'),
    ({ api, params }) => loadStoryList(api, params.orgid, 'awardees'),
  ),
  orgPage(
    'awardee-page',
    lazyRouteComponent(() => import('./pages/awardee-page.tsx'), 'AwardeePage'),
    ({ api, params }) => loadStory(api, params.orgid, 'awardees', params.awardeeid),
  ),
  orgPage(
    'future-awardees-page',
    lazyRouteComponent(() => import('./pages/future-awardees-page.tsx'), 'FutureAwardeesPage'),
    () => ({}),
  ),
  orgPage(
    'about-page',
    lazyRouteComponent(() => import('./pages/about-page.tsx'), 'AboutPage'),
    () => ({}),
  ),
  orgPage(
    'faqs-page',
    lazyRouteComponent(() => import('./pages/faqs-page.tsx'), 'FaqsPage'),
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'faq') }),
  ),
  orgPage(
    'donate-page',
    lazyRouteComponent(() => import('./pages/donate-page.tsx'), 'DonatePage'),
    async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'donate') }),
  ),
  orgPage(
    'qrcode-page',
    lazyRouteComponent(() => import('./pages/qrcode-page.tsx'), 'QrcodePage'),
    () => ({}),
  ),
  orgPage(
    'installers-page',
    lazyRouteComponent(() => import('./pages/installers-page.tsx'), 'InstallersPage'),
    ({ api, params }) => loadStoryList(api, params.orgid, 'installers'),
  ),
  orgPage(
    'installer-page',
    lazyRouteComponent(() => import('./pages/installer-page.tsx'), 'InstallerPage'),
    ({ api, params }) => loadStory(api, params.orgid, 'installers', params.installerid),
  ),
  orgPage(
    'checkout-page',
    lazyRouteComponent(() => import('./pages/checkout-page.tsx'), 'CheckoutPage'),
    ({ api, params, search }) => loadCheckout(api, params.orgid, params.checkoutid, search.receipt),
  ),
  orgPage(
    'checkout-complete-page',
    lazyRouteComponent(() => import('./pages/checkout-complete-page.tsx'), 'CheckoutCompletePage'),
    ({ params }) => ({ checkoutId: params.checkoutid }),
  ),
];

/** A short name leads to the home of its organisation (§2); the words that addresses start with are none. */
const orgBySlugRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$orgslug',
  loader: async ({ context, params: { orgslug } }) => {
    if (RESERVED_SLUGS.includes(orgslug)) throw notFound();
    const [org] = await context.api.call('readOrgs', { query: { slug: orgslug, max: 1 } });
    if (!org) throw notFound();
    throw redirect({ to: pagePath('home-page', { orgid: org.id }), replace: true });
  },
});

/** The router over every page of §2, on the browser's history where no other is given. Pages that are to come (PAGES_TO_COME) have no route, and are not found. */
export function createAppRouter(context: AppContext, history?: RouterHistory) {
  return createRouter({
    routeTree: rootRoute.addChildren([defaultOrgRoute, orgRoute.addChildren(orgPages), orgBySlugRoute]),
    context,
    ...(history ? { history } : {}),
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: LoadingPage,
    defaultPendingMs: 800,
    // Data that comes just after that is shown at once.
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    scrollRestoration: true,
    // The canonical address of some pages ends in a slash (decisions §7); all are found with and without.
    trailingSlash: 'preserve',
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: searchText,
  });
}

function searchText(search: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return texts.length > 0 ? `?${new URLSearchParams(texts)}` : '';
}

/** The page's address as the router writes it: '/orgs/$orgid' for '/orgs/:orgid'. */
function routerPath(name: PageName): string {
  return PAGES[name].replaceAll(':', '$');
}

/** What a loader asked for, where "there is no such thing" is the not-found page. */
async function found<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) throw notFound();
    throw error;
  }
}
