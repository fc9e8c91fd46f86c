import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, Suspense } from 'react';
import { queryClient } from '#web/api/queries.ts';
import { type PageRoute, ReplacementPage } from '#web/site/page.ts';
import { LoadingPage } from './message-pages.tsx';

/**
 * Provides the query cache to a signed-in page or its replacement. The page's loader fills the cache before the page is
 * shown, so the fallback appears only if the back button returns to a page whose data was dropped.
 */
export function withQueries(page: PageRoute): PageRoute {
  const wrap = (render: () => ReactElement) => () => (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<LoadingPage />}>{render()}</Suspense>
    </QueryClientProvider>
  );
  return {
    ...page,
    load: async (input) => {
      const data = await page.load(input);
      return data instanceof ReplacementPage ? new ReplacementPage(wrap(data.element)) : data;
    },
    element: async (frame, data, search) => wrap(await page.element(frame, data, search)),
  };
}
