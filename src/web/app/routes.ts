import { pagePath } from '#contract/pages.ts';
import { ABOUT_PAGES } from '#web/routes/about/route.ts';
import { CHECKOUT_PAGES } from '#web/routes/checkout/route.ts';
import { DONATE_PAGES } from '#web/routes/donate/route.ts';
import { GIFT_PAGES } from '#web/routes/gift/route.ts';
import { HOME_PAGES } from '#web/routes/home/route.ts';
import { STORY_PAGES } from '#web/routes/stories/route.ts';
import type { Routes } from './screens.ts';

export const ROUTES: Routes = {
  pages: [...HOME_PAGES, ...STORY_PAGES, ...ABOUT_PAGES, ...DONATE_PAGES, ...CHECKOUT_PAGES, ...GIFT_PAGES],
  loadSignedInPages: async () => (await import('./signed-in-routes.ts')).SIGNED_IN_PAGES,
  redirects: {
    'default-org': async ({ api }) => {
      const { defaultOrg } = await api.call('readSite', {});
      return pagePath('home-page', { orgid: defaultOrg });
    },
    'org-by-slug': async ({ api }, { orgslug = '' }) => {
      const { RESERVED_SLUGS } = await import('#contract/reserved-slugs.ts');
      if (RESERVED_SLUGS.includes(orgslug)) return undefined;
      const [org] = await api.call('readOrgs', { query: { slug: orgslug, max: 1 } });
      return org && pagePath('home-page', { orgid: org.id });
    },
  },
};
