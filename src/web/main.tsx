import { createRoot, hydrateRoot } from 'react-dom/client';
import { apiBase, parseServices } from './api/api-base.ts';
import { createApiClient } from './api/client.ts';
import { App } from './app.tsx';
import { createSessionStore } from './features/session/session-store.ts';
import { browserTab } from './features/session/session-tab.ts';
import { followSession } from './follow-session.ts';
import { createNavigator, Redirect } from './navigation/navigator.ts';
import { browserHistory } from './navigation/site-history.ts';
import { ROUTES } from './router.tsx';
import { loadScreen, type Screen, type SentScreen } from './screens.ts';
import './styles/site.css';

// A build for a site whose calls are answered by another host is told so here: "www.example.org=https://api.example.org".
const services = parseServices(import.meta.env.VITE_API_SERVICES ?? '');
const base = apiBase(window.location, services, console.error);
const session = createSessionStore();
const api = createApiClient({ base, bearer: session });
const context = { api, session };
const history = browserHistory(window);
const load = (address: string, sent?: SentScreen) => loadScreen(ROUTES, context, address, sent);

// Other hosts' cookies cannot be read here, and so not whether there is a session to ask about.
session.start(api, browserTab(base !== ''));

async function begin(root: HTMLElement): Promise<void> {
  const sent = sentScreen();
  const first = sent && (await load(history.current().address, sent));
  const isThere = first !== undefined && !(first instanceof Redirect) && first.content.kind !== 'error';
  const navigator = createNavigator<Screen>({ history, load, first: isThere ? first : undefined });
  const app = <App context={context} navigator={navigator} />;
  if (isThere) hydrateRoot(root, app);
  else createRoot(root).render(app);
  navigator.start();
  followSession(session, navigator);
}

/** What the server made the document of; nothing where it sent the bare one. */
function sentScreen(): SentScreen | undefined {
  const text = document.getElementById('page-data')?.textContent;
  return text ? JSON.parse(text) : undefined;
}

const root = document.getElementById('root');
if (root) void begin(root);
