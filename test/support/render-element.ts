import { createElement, type ReactElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createApiClient } from '#web/api/client.ts';
import { createQueryClient } from '#web/api/queries.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { AppContextProvider } from '#web/session/app-context.ts';
import { createSessionStore } from '#web/session/session-store.ts';
import { SignedInData } from '#web/session/signed-in-data.tsx';

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
  return wrapInPublicPage(createElement(SignedInData, { client: fullContext.client }, element), fullContext);
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
