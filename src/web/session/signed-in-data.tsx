import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { refreshQueries } from '#web/api/queries.ts';
import { useApi } from './app-context.ts';

/**
 * Provides the query cache to a signed-in page. Every call that changes data marks all queries as out of date and
 * reloads those that the page shows.
 */
export function SignedInData({ client, children }: { client: QueryClient; children?: ReactNode }) {
  const api = useApi();
  useEffect(() => api.onChange(() => refreshQueries(client)), [api, client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
