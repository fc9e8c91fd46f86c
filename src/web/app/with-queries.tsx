import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { queryClient } from '#web/api/queries.ts';
import type { Page } from '#web/site/page.ts';
import { LoadingPage } from './message-pages.tsx';

/**
 * Gives a signed-in page the query client. The page's loader fills the cache before the page is shown, so the fallback
 * appears only if the back button returns to a page whose data has been dropped.
 */
export function withQueries(page: Page): Page {
  return {
    ...page,
    element: async (frame, data, search) => {
      const render = await page.element(frame, data, search);
      return () => (
        <QueryClientProvider client={queryClient}>
          <Suspense fallback={<LoadingPage />}>{render()}</Suspense>
        </QueryClientProvider>
      );
    },
  };
}
