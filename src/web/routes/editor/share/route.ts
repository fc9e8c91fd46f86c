import { orgPage, type PageRoute } from '#web/site/page.ts';

export const SHARE_PAGES: readonly PageRoute[] = [
  {
    guard: 'cells.edit',
    ...orgPage(
      'share-page',
      async () => (await import('./share-page.tsx')).SharePage,
      () => ({}),
    ),
  },
];
