import type { PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

export const TEST_PAGES: readonly PageRoute[] = [
  {
    guard: 'admin.visit',
    ...sitePage(
      'test-page',
      async () => (await import('./test-page.tsx')).TestPage,
      () => ({}),
    ),
  },
];
