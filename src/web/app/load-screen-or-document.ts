import { localizeAddress } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';
import { OfflineError } from '#web/api/api-error.ts';
import { type LoadResult, OpenDocument, Redirect } from '#web/navigation/navigator.ts';
import type { SiteHistory } from '#web/navigation/site-history.ts';
import type { Screen } from './screens.ts';

type LoadOptions = {
  readonly history: SiteHistory;
  readonly loadScreen: (address: string) => Promise<Screen | Redirect>;
  readonly visibleAddress: string;
};

/**
 * Loads a screen. When offline, opens the cached document of a page whose data isn't cached, unless the page is already
 * open: its document would fail in the same way.
 */
export async function loadScreenOrDocument(
  address: string,
  { history, loadScreen, visibleAddress }: LoadOptions,
): Promise<LoadResult<Screen>> {
  const screen = await loadScreen(address);
  const isOffline =
    !(screen instanceof Redirect) && screen.content.kind === 'error' && screen.content.error instanceof OfflineError;
  if (!isOffline || address === visibleAddress) return screen;
  const isCached = await hasCachedDocument(address).catch(() => false);
  return isCached ? new OpenDocument(() => openDocument(address, history)) : screen;
}

function openDocument(address: string, history: SiteHistory): void {
  // After the back button, the browser is already at the address. Assigning it would replace the history entry's state,
  // or only scroll to its hash.
  if (address === history.current().address) window.location.reload();
  else window.location.assign(localizeAddress(address, LANGUAGE));
}

async function hasCachedDocument(address: string): Promise<boolean> {
  const offline = await import('./offline.ts');
  return offline.hasCachedDocument(address);
}
