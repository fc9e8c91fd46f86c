import { renderToString } from 'react-dom/server';
import type { AnswerCall, RenderedPage, RenderInput } from '#contract/rendering.ts';
import { createApiClient } from './api/client.ts';
import { App } from './app.tsx';
import { createSessionStore } from './features/session/session-store.ts';
import { headOf } from './heads/page-head.ts';
import { createNavigator, Redirect } from './navigation/navigator.ts';
import { memoryHistory } from './navigation/site-history.ts';
import { ROUTES } from './router.tsx';
import { loadScreen, type Screen, type SentScreen } from './screens.ts';
import { TitleProvider } from './ui/page-title.tsx';

/**
 * Renders a page of the site as a visitor sees it first, with the data that the browser goes on with.
 * @throws what a call failed with, other than that there is no such thing
 */
export async function renderPage({ path, answerCall, publicUrl }: RenderInput): Promise<RenderedPage> {
  const context = { api: createApiClient({ fetch: fetchBy(answerCall) }), session: createSessionStore() };
  const screen = await loadScreen(ROUTES, context, path);
  if (screen instanceof Redirect) throw new Error(`${path} leads on to ${screen.to}, and has no page.`);
  if (screen.content.kind === 'error') throw screen.content.error;
  const navigator = createNavigator<Screen>({
    history: memoryHistory(path),
    load: async () => screen,
    first: screen,
  });
  let title = '';
  const html = renderToString(
    <TitleProvider value={(parts) => (title = parts)}>
      <App context={context} navigator={navigator} />
    </TitleProvider>,
  );
  const sent: SentScreen = {
    name: screen.name,
    org: screen.org,
    site: screen.site,
    data: screen.content.kind === 'page' ? screen.content.data : undefined,
  };
  return {
    page: screen.name,
    status: screen.content.kind === 'page' ? 200 : 404,
    html,
    head: headOf(screen, { title, publicUrl }),
    data: sent,
  };
}

/** The calls of the pages, answered in the same process. */
function fetchBy(answerCall: AnswerCall): typeof fetch {
  return async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const {
      status,
      headers: sent,
      body,
    } = await answerCall({ method: init?.method ?? 'GET', url: addressText(input), headers });
    return new Response(body, { status, headers: sent });
  };
}

function addressText(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}
