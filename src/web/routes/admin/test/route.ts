import { guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export const TEST_PAGES: readonly PageRoute[] = [
  guardedSitePage('test-page', {
    can: 'admin.visit',
    component: async () => (await import('./test-page.tsx')).TestPage,
  }),
];
