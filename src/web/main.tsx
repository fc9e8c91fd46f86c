import { type ReactNode, startTransition, useEffect, useEffectEvent } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { isRenderedPage, VISITOR_RENDERED_PAGES } from '#contract/pages.ts';
import { createApiClient, parseServices, resolveApiBase } from '#web/api/client.ts';
import { App } from '#web/app/app.tsx';
import { collectEarlyChanges } from '#web/app/early-changes.ts';
import { loadScreenOrDocument } from '#web/app/load-screen-or-document.ts';
import { ROUTES } from '#web/app/routes.ts';
import { createScreenLoader, type EmbeddedScreen, errorScreen, type Screen } from '#web/app/screens.ts';
import { createNavigator, type Navigator, Redirect } from '#web/navigation/navigator.ts';
import { createBrowserHistory } from '#web/navigation/site-history.ts';
import { createSessionStore, createSessionTab } from '#web/session/session-store.ts';
import '#web/styles/site.css';

// Set at build time if the API is on another host: "www.example.org=https://api.example.org".
const services = parseServices(import.meta.env.VITE_API_SERVICES ?? '');
const base = resolveApiBase(window.location, services, console.error);
const session = createSessionStore();
const api = createApiClient({ base, bearer: session });
const context = { api, session };
const history = createBrowserHistory(window);
const loadScreen = createScreenLoader(ROUTES, context);

async function start(root: HTMLElement): Promise<void> {
  const embedded = readEmbeddedScreen();
  const initialScreen = embedded && (await loadScreen(history.current().address, embedded));
  const isRendered =
    initialScreen !== undefined && !(initialScreen instanceof Redirect) && initialScreen.content.kind !== 'error';
  const navigator: Navigator<Screen> = createNavigator({
    history,
    load: (address) => {
      const visibleAddress = navigator.state().entry.address;
      return loadScreenOrDocument(address, { history, loadScreen, visibleAddress });
    },
    initialScreen: isRendered ? initialScreen : undefined,
    isLoaded: ({ content }) => content.kind === 'page',
    errorScreen,
    isInitialScreenEmpty: isRendered && initialScreen.content.kind === 'waiting',
  });
  // Another host's cookies can't be read, so the app always has to assume that there may be a session.
  session.start(api, createSessionTab(base !== ''), {
    onAccessChange: () => reloadAfterAccessChange(navigator),
    hasUnsavedInput: navigator.isGuarded,
  });
  const replayEarlyChanges = collectEarlyChanges(root);
  const onMount = () =>
    queueMicrotask(() => {
      replayEarlyChanges();
      // Browser tests and benchmarks wait for this mark.
      performance.mark('interactive');
    });
  const app = (
    <OnMount callback={onMount}>
      <App context={context} navigator={navigator} />
    </OnMount>
  );
  // A transition is interruptible, so the page can be scrolled and typed into during hydration.
  if (isRendered) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  navigator.start();
  if (isRendered && initialScreen.name && VISITOR_RENDERED_PAGES.includes(initialScreen.name))
    void reloadIfLoggedIn(navigator);
  // On the first visit, installs the worker only after the page has loaded.
  const delayMs = window.navigator.serviceWorker?.controller ? 0 : WORKER_DELAY_MS;
  if (import.meta.env.PROD) setTimeout(() => registerOfflineWorker().catch(console.info), delayMs);
}

/** Reloads a page that the server rendered for a visitor, because a logged-in person may see a different one. */
async function reloadIfLoggedIn({ reload }: Navigator<Screen>): Promise<void> {
  // On failure, treats the person as a visitor.
  const { authenticated } = await session.ready().catch(session.now);
  if (authenticated) await reload();
}

/** Discards the loaded pages after the person or their permissions change, and reloads a personal page. */
function reloadAfterAccessChange({ state, forget, reload }: Navigator<Screen>): void {
  forget();
  const name = state().screen?.name;
  // Reloads immediately: a later reload would replace the page that opens after login.
  if (name && !isRenderedPage(name)) void reload();
}

/** Calls `callback` once its children are mounted. */
function OnMount({ callback, children }: { callback: () => void; children: ReactNode }) {
  const runCallback = useEffectEvent(callback);
  useEffect(() => runCallback(), []);
  return children;
}

/** Delay that lets the page finish loading first. */
const WORKER_DELAY_MS = 1500;

async function registerOfflineWorker(): Promise<void> {
  const offline = await import('#web/app/offline.ts');
  await offline.registerOfflineWorker();
}

/** @returns undefined if the server sent the empty document */
function readEmbeddedScreen(): EmbeddedScreen | undefined {
  const text = document.getElementById('page-data')?.textContent;
  return text ? JSON.parse(text) : undefined;
}

const root = document.getElementById('root');
if (root) void start(root);
