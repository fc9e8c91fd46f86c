import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export const SHARE_PAGES: readonly PageRoute[] = [
  guardedOrgPage('share-page', {
    can: 'cells.edit',
    component: async () => (await import('./share-page.tsx')).SharePage,
  }),
];
