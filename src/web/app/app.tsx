import { Component, type ReactNode, StrictMode, useRef, useSyncExternalStore } from 'react';
import { readAddress } from '#web/navigation/address.ts';
import type { Navigator } from '#web/navigation/navigator.ts';
import { useArrival } from '#web/navigation/use-arrival.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { type AppContext, AppContextProvider } from '#web/session/app-context.ts';
import { SiteFrame } from '#web/site/site-frame.tsx';
import { ErrorPage } from './error-page.tsx';
import { LoadingPage, WaitingPage } from './loading-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import type { Screen } from './screens.ts';
import { useLiveScreen } from './use-live-screen.ts';

type AppProps = { context: AppContext; navigator: Navigator<Screen> };

/** The whole site, on the server and in the browser alike. */
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

/** The frame stays while screens change. */
function ShownScreen({ navigator }: { navigator: Navigator<Screen> }) {
  const { subscribe, standing, initial } = navigator;
  // What the document was made of, also where the next screen comes while it is taken over.
  const now = useSyncExternalStore(subscribe, standing, initial);
  const main = useRef<HTMLElement>(null);
  useArrival(now, main);
  const { screen, slow, entry } = now;
  useLiveScreen(navigator, screen);
  return (
    <SiteFrame org={screen?.org} site={screen?.site} main={main}>
      <RenderBoundary key={readAddress(entry.address).path}>
        {slow ? <LoadingPage /> : screen && contentOf(screen)}
      </RenderBoundary>
    </SiteFrame>
  );
}

function contentOf({ content }: Screen): ReactNode {
  if (content.kind === 'page') return content.element();
  if (content.kind === 'waiting') return <WaitingPage />;
  return content.kind === 'missing' ? <NotFoundPage /> : <ErrorPage error={content.error} />;
}

/** Shows what a page could not draw as a page that says so, and not as an empty one. */
class RenderBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <ErrorPage error={this.state.error} />;
  }
}
