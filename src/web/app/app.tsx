import { Component, type ReactNode, StrictMode, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { isRenderedPage } from '#contract/pages.ts';
import { readAddress } from '#web/navigation/address.ts';
import type { Navigator } from '#web/navigation/navigator.ts';
import { useArrival } from '#web/navigation/use-arrival.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { type AppContext, AppContextProvider, useApi } from '#web/session/app-context.ts';
import { SiteFrame } from '#web/site/site-frame.tsx';
import { ErrorPage, LoadingNote, LoadingPage, NotFoundPage, WaitingPage } from './message-pages.tsx';
import type { Screen } from './screens.ts';

type AppProps = { context: AppContext; navigator: Navigator<Screen> };

/** The whole site, on the server and in the browser. */
export function App({ context, navigator }: AppProps) {
  return (
    <StrictMode>
      <AppContextProvider value={context}>
        <NavigatorProvider value={navigator}>
          <ShownScreen navigator={navigator} />
        </NavigatorProvider>
      </AppContextProvider>
    </StrictMode>
  );
}

function ShownScreen({ navigator }: { navigator: Navigator<Screen> }) {
  const { subscribe, state, initial } = navigator;
  // `initial` is the state the document was rendered from, even if the screen changes during hydration.
  const now = useSyncExternalStore(subscribe, state, initial);
  const main = useRef<HTMLElement>(null);
  useArrival(now, main);
  const { screen, slow, entry } = now;
  useLiveScreen(navigator, screen);
  const stays = slow === 'query' && screen?.content.kind === 'page';
  return (
    <SiteFrame org={screen?.org} site={screen?.site} main={main}>
      <RenderBoundary key={readAddress(entry.address).path}>
        {slow && !stays ? <LoadingPage /> : screen && contentOf(screen)}
        {slow && stays && <LoadingNote />}
      </RenderBoundary>
    </SiteFrame>
  );
}

function contentOf({ content }: Screen): ReactNode {
  if (content.kind === 'page') return content.element();
  if (content.kind === 'waiting') return <WaitingPage />;
  return content.kind === 'missing' ? <NotFoundPage /> : <ErrorPage error={content.error} />;
}

class RenderBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <ErrorPage error={this.state.error} />;
  }
}

/** Keeps the stats and stories of an open public page up to date (decisions §6). */
function useLiveScreen({ refresh }: Navigator<Screen>, screen: Screen | undefined): void {
  const api = useApi();
  const isPublic = screen?.content.kind === 'page' && screen.name !== undefined && isRenderedPage(screen.name);
  const orgId = isPublic ? screen.org?.id : undefined;
  // Read once, when following starts; later versions are fetched because of it.
  const versionShown = useEffectEvent(() => screen?.org?.version ?? 0);
  useEffect(() => {
    if (orgId === undefined) return;
    let stop: (() => void) | undefined;
    let left = false;
    const begin = async () => {
      const { keepUp } = await import('./follow-org.ts');
      if (left) return;
      stop = keepUp({
        orgId,
        since: versionShown(),
        api,
        refresh,
      });
    };
    const timer = setTimeout(() => void begin().catch(() => {}), QUIET_MS);
    return () => {
      left = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [api, orgId, refresh]);
}

/** Lets the page load first. */
const QUIET_MS = 1000;
