import { type Page, sitePage } from '#web/site/page.ts';

export const TEST_PAGES: readonly Page[] = [
  {
    guard: 'admin.visit',
    ...sitePage(
      'test-page',
      async () => (await import('./test-page.tsx')).TestPage,
      () => ({}),
    ),
  },
];
