import { createElement, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createApiClient } from '#web/api/client.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { memoryHistory } from '#web/navigation/site-history.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { CheckoutStoresProvider } from '#web/payment/checkout-stores.ts';
import { AppContextProvider } from '#web/session/app-context.ts';
import { createSessionStore } from '#web/session/session-store.ts';

/** The markup of an element that the server renders for a visitor. */
export function markupOf(element: ReactElement): string {
  const navigator = createNavigator<object>({ history: memoryHistory('/'), load: async () => ({}), first: {} });
  const context = { api: createApiClient(), session: createSessionStore() };
  return renderToString(
    createElement(
      AppContextProvider,
      { value: context },
      createElement(
        CheckoutStoresProvider,
        { value: new Map() },
        createElement(NavigatorProvider, { value: navigator }, element),
      ),
    ),
  );
}

/** The element's words as people read them. */
export function wordsOf(element: ReactElement): string {
  return markupOf(element)
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;|&rsquo;/g, '’')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
