import { renderToString } from 'react-dom/server';
import { findPage, isRenderedPage, VISITOR_RENDERED_PAGES } from '#contract/pages.ts';
import type { HandleCall, RenderedPage, RenderInput } from '#contract/rendering.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { createApiClient } from '#web/api/client.ts';
import { App } from '#web/app/app.tsx';
import { buildPageHead } from '#web/app/heads/page-head.ts';
import { ROUTES } from '#web/app/routes.ts';
import { createScreenLoader, type EmbeddedScreen, loadWaitingScreen, type Screen } from '#web/app/screens.ts';
import { parseAddress } from '#web/navigation/address.ts';
import { createNavigator, Redirect } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { createSessionStore } from '#web/session/session-store.ts';
import { TitleProvider } from '#web/ui/page.tsx';

/**
 * Renders a page as a visitor first sees it, with the data for hydration. For a personal page, renders only the frame.
 * @throws the error of a failed call, unless it is a 404
 */
export async function renderPage({ path, handleCall, publicUrl }: RenderInput): Promise<RenderedPage> {
  const context = { api: createApiClient({ fetch: createFetch(handleCall) }), session: createSessionStore() };
  const name = findPage(parseAddress(path).path)?.name;
  const isWaiting = name !== undefined && !isRenderedPage(name) && !VISITOR_RENDERED_PAGES.includes(name);
  const screen = await (isWaiting
    ? loadWaitingScreen(ROUTES, context, path)
    : createScreenLoader(ROUTES, context)(path));
  if (screen instanceof Redirect) throw new Error(`${path} redirects to ${screen.to}, so there is no page to render.`);
  if (screen.content.kind === 'error') throw screen.content.error;
  const navigator = createNavigator<Screen>({
    history: createMemoryHistory(path),
    load: async () => screen,
    initialScreen: screen,
  });
  let title: string = SITE_NAME;
  const html = renderToString(
    <TitleProvider value={(parts) => (title = parts)}>
      <App context={context} navigator={navigator} />
    </TitleProvider>,
  );
  const embedded: EmbeddedScreen = {
    name: screen.name,
    org: screen.org,
    site: screen.site,
    data: screen.content.kind === 'page' ? screen.content.data : undefined,
    isWaiting,
  };
  return {
    // Personal pages' code is loaded only once the browser knows who is logged in.
    module: !isWaiting && screen.content.kind === 'page' ? screen.content.module : undefined,
    status: screen.content.kind === 'missing' ? 404 : 200,
    html,
    head: buildPageHead(screen, { title, publicUrl }),
    data: embedded,
  };
}

/** Handles the pages' API calls within this process. */
function createFetch(handleCall: HandleCall): typeof fetch {
  return async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const {
      status,
      headers: responseHeaders,
      body,
    } = await handleCall({ method: init?.method ?? 'GET', url: toUrlText(input), headers });
    return new Response(body, { status, headers: responseHeaders });
  };
}

function toUrlText(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}
