import {
  Component,
  Fragment,
  type ReactNode,
  StrictMode,
  useEffect,
  useEffectEvent,
  useRef,
  useSyncExternalStore,
} from 'react';
import { isRenderedPage } from '#contract/pages.ts';
import { m } from '#messages';
import { parseAddress } from '#web/navigation/address.ts';
import type { Navigator } from '#web/navigation/navigator.ts';
import { useFocusAfterRemoval } from '#web/navigation/use-focus-after-removal.ts';
import { useFocusAndScroll } from '#web/navigation/use-focus-and-scroll.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { type AppContext, AppContextProvider, useApi, useSessionStore } from '#web/session/app-context.ts';
import { OpenDialogs } from '#web/session/open-dialogs.tsx';
import { SiteFrame } from '#web/site/site-frame.tsx';
import { ToastProvider, useToast } from '#web/ui/toast.tsx';
import { ErrorPage, LoadingNote, LoadingPage, NotFoundPage, WaitingPage } from './message-pages.tsx';
import type { Screen } from './screens.ts';

type AppProps = { context: AppContext; navigator: Navigator<Screen> };

/** The whole site, on the server and in the browser. */
export function App({ context, navigator }: AppProps) {
  return (
    <StrictMode>
      <AppContextProvider value={context}>
        <NavigatorProvider value={navigator}>
          <ToastProvider>
            <CurrentScreen navigator={navigator} />
            <OpenDialogs />
          </ToastProvider>
        </NavigatorProvider>
      </AppContextProvider>
    </StrictMode>
  );
}

function CurrentScreen({ navigator }: { navigator: Navigator<Screen> }) {
  const { subscribe, state, initial } = navigator;
  // Hydration must use the state that the document was rendered from, even if the screen has changed since.
  const current = useSyncExternalStore(subscribe, state, initial);
  const main = useRef<HTMLElement>(null);
  useFocusAndScroll(current, main);
  useFocusAfterRemoval(main);
  const { screen, slowLoad, entry } = current;
  const isForAnotherPerson = useIsForAnotherPerson(screen);
  useLiveScreen(navigator, screen);
  useRefreshAfterChange(navigator);
  const kind = screen?.content.kind;
  // An error page retries when the network is back, and must keep its timers while the first retry loads.
  const staysVisible = slowLoad === 'query' && (kind === 'page' || kind === 'error');
  return (
    <RenderBoundary screen={screen}>
      <SiteFrame org={screen?.org} site={screen?.site} main={main}>
        <RenderBoundary screen={screen}>
          <Fragment key={parseAddress(entry.address).path}>
            {isForAnotherPerson || (slowLoad && !staysVisible) ? <LoadingPage /> : screen && renderContent(screen)}
            {slowLoad && staysVisible && <LoadingNote />}
          </Fragment>
        </RenderBoundary>
      </SiteFrame>
    </RenderBoundary>
  );
}

/**
 * True while a page reloads for a person who logged in elsewhere, which unmounts the page with its typed text and data.
 * Reads nothing else of the session, because every other change would render the whole page again.
 */
function useIsForAnotherPerson(screen: Screen | undefined): boolean {
  const { subscribe, now } = useSessionStore();
  const isForAnotherPerson = () => {
    const { uid } = now();
    return Boolean(uid && screen?.uid && uid !== screen.uid);
  };
  return useSyncExternalStore(subscribe, isForAnotherPerson, () => false);
}

function renderContent({ content }: Screen): ReactNode {
  if (content.kind === 'page') return content.element();
  if (content.kind === 'waiting') return <WaitingPage />;
  return content.kind === 'missing' ? <NotFoundPage /> : <ErrorPage error={content.error} />;
}

type BoundaryProps = { screen: Screen | undefined; children: ReactNode };
type BoundaryState = { readonly screen: Screen | undefined; readonly error: unknown };

/** Renders an error instead of a page or frame that fails to render, until another screen is shown. */
class RenderBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { screen: undefined, error: undefined };

  static getDerivedStateFromProps({ screen }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return screen === state.screen ? null : { screen, error: undefined };
  }

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <ErrorPage error={this.state.error} />;
  }
}

/**
 * After every call that changes data, marks all data loaded earlier as out of date, including data of pages that the
 * user has left, and reloads the queries on the page.
 */
function useRefreshAfterChange({ forget }: Navigator<Screen>): void {
  const api = useApi();
  const { now } = useSessionStore();
  const toast = useToast();
  useEffect(() => {
    const reloadQueries = async () => {
      const { queryClient, refreshQueries } = await import('#web/api/queries.ts');
      if (await refreshQueries(queryClient)) return;
      toast(m.pageNotUpdated(), { label: m.tryAgain(), run: tryReload });
    };
    const tryReload = () => void reloadQueries().catch(console.info);
    return api.onChange(() => {
      forget();
      // Public pages have no queries.
      if (now().authenticated) tryReload();
    });
  }, [api, now, forget, toast]);
}

/** Keeps the stats and stories of an open public page up to date (decisions §6). */
function useLiveScreen({ forget, refresh }: Navigator<Screen>, screen: Screen | undefined): void {
  const api = useApi();
  const isPublic = screen?.content.kind === 'page' && screen.name !== undefined && isRenderedPage(screen.name);
  const orgId = isPublic ? screen.org?.id : undefined;
  // Read once, when the subscription starts. The subscription reports later versions.
  const getShownVersion = useEffectEvent(() => screen?.org?.version ?? 0);
  useEffect(() => {
    if (orgId === undefined) return;
    let stop: (() => void) | undefined;
    let isStopped = false;
    const start = async () => {
      const { keepPageCurrent } = await import('./subscribe-to-org.ts');
      if (isStopped) return;
      stop = keepPageCurrent({
        orgId,
        since: getShownVersion(),
        api,
        refresh: () => {
          forget();
          return refresh();
        },
      });
    };
    const timer = setTimeout(() => void start().catch(() => {}), SUBSCRIBE_DELAY_MS);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [api, orgId, forget, refresh]);
}

/** Lets the page finish loading first. */
const SUBSCRIBE_DELAY_MS = 1000;
