import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { refreshQueries } from '#web/api/queries.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from './app-context.ts';

/**
 * Provides the query cache to a signed-in page. Every call that changes data marks everything loaded before it as out of
 * date: the queries, and the pages for the back button.
 */
export function SignedInData({ client, children }: { client: QueryClient; children?: ReactNode }) {
  const api = useApi();
  const { forget } = useNavigator();
  useEffect(
    () =>
      api.onChange(() => {
        forget();
        refreshQueries(client);
      }),
    [api, client, forget],
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
