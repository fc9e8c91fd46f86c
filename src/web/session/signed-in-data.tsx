import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { refreshQueries } from '#web/api/queries.ts';
import { withChangeListener } from '#web/api/report-changes.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { AppContextProvider, useApi, useSessionStore } from './app-context.ts';

/**
 * Gives a signed-in page the query cache, and an API client whose every change makes everything loaded before it out of
 * date: queries, and pages for the back button.
 */
export function SignedInData({ client, children }: { client: QueryClient; children?: ReactNode }) {
  const api = useApi();
  const session = useSessionStore();
  const { forget } = useNavigator();
  const context = useMemo(() => {
    const onChange = () => {
      forget();
      refreshQueries(client);
    };
    return { session, api: withChangeListener(api, onChange) };
  }, [api, session, client, forget]);
  return (
    <AppContextProvider value={context}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </AppContextProvider>
  );
}
