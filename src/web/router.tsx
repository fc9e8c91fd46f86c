import { pagePath, RESERVED_SLUGS } from '#contract/pages.ts';
import { loadCells, loadCheckout, loadHome, loadStory, loadStoryList } from './page-data.ts';
import { orgPage, type Routes } from './screens.ts';

/** Every page that the browser shows, in the order of §2, with the file of its code and the data that it needs. */
export const ROUTES: Routes = {
  pages: [
    orgPage(
      'home-page',
      async () => (await import('./pages/home-page.tsx')).HomePage,
      async ({ api, params, search }) => ({
        ...(await loadHome(api, params.orgid)),
        cancelledCheckoutId: search.cancelled,
      }),
      ({ cancelled }) => ({ cancelledCheckoutId: cancelled }),
    ),
    orgPage(
      'offsetters-page',
      async () => (await import('./pages/offsetters-page.tsx')).OffsettersPage,
      ({ api, params }) => loadStoryList(api, params.orgid, 'offsetters'),
    ),
    orgPage(
      'offsetter-page',
      async () => (await import('./pages/offsetter-page.tsx')).OffsetterPage,
      ({ api, params }) => loadStory(api, params.orgid, 'offsetters', params.offsetterid),
    ),
    orgPage(
      'awardees-page',
      async () => (await import('./pages/awardees-page.tsx')).AwardeesPage,
      ({ api, params }) => loadStoryList(api, params.orgid, 'awardees'),
    ),
    orgPage(
      'awardee-page',
      async () => (await import('./pages/awardee-page.tsx')).AwardeePage,
      ({ api, params }) => loadStory(api, params.orgid, 'awardees', params.awardeeid),
    ),
    orgPage(
      'future-awardees-page',
      async () => (await import('./pages/future-awardees-page.tsx')).FutureAwardeesPage,
      () => ({}),
    ),
    orgPage(
      'about-page',
      async () => (await import('./pages/about-page.tsx')).AboutPage,
      () => ({}),
    ),
    orgPage(
      'faqs-page',
      async () => (await import('./pages/faqs-page.tsx')).FaqsPage,
      async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'faq') }),
    ),
    orgPage(
      'donate-page',
      async () => (await import('./pages/donate-page.tsx')).DonatePage,
      async ({ api, params }) => ({ cells: await loadCells(api, params.orgid, 'donate') }),
    ),
    orgPage(
      'qrcode-page',
      async () => (await import('./pages/qrcode-page.tsx')).QrcodePage,
      () => ({}),
    ),
    orgPage(
      'installers-page',
      async () => (await import('./pages/installers-page.tsx')).InstallersPage,
      ({ api, params }) => loadStoryList(api, params.orgid, 'installers'),
    ),
    orgPage(
      'installer-page',
      async () => (await import('./pages/installer-page.tsx')).InstallerPage,
      ({ api, params }) => loadStory(api, params.orgid, 'installers', params.installerid),
    ),
    orgPage(
      'checkout-page',
      async () => (await import('./pages/checkout-page.tsx')).CheckoutPage,
      async ({ api, params, search, session }) => {
        // Whose checkout it may be decides what is asked there; who cannot be found out now is a visitor.
        await session.ready().catch(() => {});
        return loadCheckout(api, params.orgid, params.checkoutid, search.receipt);
      },
    ),
    orgPage(
      'checkout-complete-page',
      async () => (await import('./pages/checkout-complete-page.tsx')).CheckoutCompletePage,
      async ({ params, session }) => {
        await session.ready().catch(() => {});
        return { checkoutId: params.checkoutid };
      },
    ),
  ],
  later: async () => (await import('./own-pages.ts')).OWN_PAGES,
  leads: {
    /** `/` leads to the home of the default organisation (§2). */
    'default-org': async ({ api }) => {
      const { defaultOrg } = await api.call('readSite', {});
      return pagePath('home-page', { orgid: defaultOrg });
    },
    /** A short name leads to the home of its organisation (§2); the words that addresses start with are none. */
    'org-by-slug': async ({ api }, { orgslug = '' }) => {
      if (RESERVED_SLUGS.includes(orgslug)) return undefined;
      const [org] = await api.call('readOrgs', { query: { slug: orgslug, max: 1 } });
      return org && pagePath('home-page', { orgid: org.id });
    },
  },
};
