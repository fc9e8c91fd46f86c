import { type ReactNode, startTransition, useEffect, useEffectEvent } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RENDERED_ANEW, RENDERED_PAGES } from '#contract/pages.ts';
import { OfflineError } from '#web/api/api-error.ts';
import { apiBase, createApiClient, parseServices } from '#web/api/client.ts';
import { App } from '#web/app/app.tsx';
import { catchUpWithInput } from '#web/app/early-input.ts';
import { ROUTES } from '#web/app/routes.ts';
import { keepFrame, loadScreen, type Screen, type SentScreen } from '#web/app/screens.ts';
import { createNavigator, type Navigator, Redirect } from '#web/navigation/navigator.ts';
import { browserHistory } from '#web/navigation/site-history.ts';
import { browserTab, createSessionStore } from '#web/session/session-store.ts';
import '#web/styles/site.css';

// A build for a site whose calls are answered by another host is told so here: "www.example.org=https://api.example.org".
const services = parseServices(import.meta.env.VITE_API_SERVICES ?? '');
const base = apiBase(window.location, services, console.error);
const session = createSessionStore();
const api = createApiClient({ base, bearer: session });
const context = { api, session };
const history = browserHistory(window);
const load = keepFrame((address, sent) => loadScreen(ROUTES, context, address, sent));

async function begin(root: HTMLElement): Promise<void> {
  const sent = sentScreen();
  const first = sent && (await load(history.current().address, sent));
  const isThere = first !== undefined && !(first instanceof Redirect) && first.content.kind !== 'error';
  const navigator = createNavigator<Screen>({
    history,
    load: loadOrLeave,
    first: isThere ? first : undefined,
    isLoaded: ({ content }) => content.kind === 'page',
    isFirstWaiting: isThere && first.content.kind === 'waiting',
  });
  // Other hosts' cookies cannot be read here, and so not whether there is a session to ask about.
  session.start(api, browserTab(base !== ''), () => showToOther(navigator));
  const app = (
    <WhenDrawn work={() => queueMicrotask(() => catchUpWithInput(window))}>
      <App context={context} navigator={navigator} />
    </WhenDrawn>
  );
  // A transition is done bit by bit, between which the page can be scrolled and typed into.
  if (isThere) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  navigator.start();
  if (isThere && first.name && RENDERED_ANEW.includes(first.name)) void showToKnown(navigator);
  // A page that the worker sent knows it already; a first one comes before it.
  const wait = window.navigator.serviceWorker?.controller ? 0 : QUIET_MS;
  if (import.meta.env.PROD) setTimeout(() => keepForOffline().catch(console.info), wait);
}

/** The server rendered it for somebody whom it does not know: whoever is signed in may see something else, or elsewhere. */
async function showToKnown({ reload }: Navigator<Screen>): Promise<void> {
  // Who cannot be found out now is a visitor.
  const { authenticated } = await session.ready().catch(session.now);
  if (authenticated) await reload();
}

/** What was loaded is no longer theirs: a page that is each person's own is loaded anew, which may lead elsewhere. */
function showToOther({ standing, forget, reload }: Navigator<Screen>): void {
  forget();
  const name = standing().screen?.name;
  if (name && !RENDERED_PAGES.includes(name)) void reload();
}

/** Does its work when all that is in it is on the page, and can be used. */
function WhenDrawn({ work, children }: { work: () => void; children: ReactNode }) {
  const once = useEffectEvent(work);
  useEffect(() => once(), []);
  return children;
}

/** The page itself comes first. */
const QUIET_MS = 1500;

async function keepForOffline(): Promise<void> {
  const offline = await import('#web/app/offline.ts');
  await offline.keepForOffline();
}

/** Without a network a page that was seen as a document, and not by its calls, is there as that document. */
async function loadOrLeave(address: string): Promise<Screen | Redirect> {
  const screen = await load(address);
  const isOut =
    !(screen instanceof Redirect) && screen.content.kind === 'error' && screen.content.error instanceof OfflineError;
  if (!isOut || address === history.current().address) return screen;
  const { hasKeptDocument } = await import('#web/app/offline.ts');
  if (await hasKeptDocument(address)) window.location.assign(address);
  return screen;
}

/** What the server made the document of; nothing where it sent the bare one. */
function sentScreen(): SentScreen | undefined {
  const text = document.getElementById('page-data')?.textContent;
  return text ? JSON.parse(text) : undefined;
}

const root = document.getElementById('root');
if (root) void begin(root);
