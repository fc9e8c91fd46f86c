import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement, type ReactNode, useEffect } from 'react';
import { renderToString } from 'react-dom/server';
import { type ApiClient, createApiClient } from '#web/api/client.ts';
import { createQueryClient, refreshQueries } from '#web/api/queries.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { AppContextProvider } from '#web/session/app-context.ts';
import { createSessionStore } from '#web/session/session-store.ts';

/** Creates the context that a page needs. By default, no one is logged in and no data is loaded. */
export function createPageContext() {
  return {
    api: createApiClient(),
    session: createSessionStore(),
    client: createQueryClient(),
    navigator: createNavigator<object>({
      history: createMemoryHistory('/'),
      load: async () => ({}),
      initialScreen: {},
    }),
  };
}

type PageContext = ReturnType<typeof createPageContext>;

/** Wraps an element of a signed-in page in the context it needs. */
export function wrapInSignedInPage(element: ReactNode, context: Partial<PageContext> = {}): ReactElement {
  const fullContext = { ...createPageContext(), ...context };
  return wrapInPublicPage(createElement(SignedInData, fullContext, element), fullContext);
}

type SignedInDataProps = { api: ApiClient; client: QueryClient; children?: ReactNode };

/** Provides the query cache, and reloads the page's data after a change, as the app does. */
function SignedInData({ api, client, children }: SignedInDataProps) {
  useEffect(() => api.onChange(() => void refreshQueries(client)), [api, client]);
  return createElement(QueryClientProvider, { client }, children);
}

export function wrapInPublicPage(element: ReactNode, { api, session, navigator }: PageContext): ReactElement {
  return createElement(
    AppContextProvider,
    { value: { api, session } },
    createElement(NavigatorProvider, { value: navigator }, element),
  );
}

/** The markup of an element, rendered on the server. */
export function renderMarkup(element: ReactElement, context?: Partial<PageContext>): string {
  return renderToString(wrapInSignedInPage(element, context));
}

/** A list as stored in the query cache after its first page loads. */
export function createLoadedList<Item>(items: readonly Item[]) {
  return { pages: [{ items, nextCursor: undefined }], pageParams: [undefined] };
}

/** The visible text of an element. */
export function renderVisibleText(element: ReactElement, context?: Partial<PageContext>): string {
  return renderMarkup(element, context)
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;|&rsquo;/g, '’')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
