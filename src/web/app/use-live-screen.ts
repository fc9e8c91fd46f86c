import { useEffect, useEffectEvent } from 'react';
import { RENDERED_PAGES } from '#contract/pages.ts';
import type { Navigator } from '#web/navigation/navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import type { Screen } from './screens.ts';

/** Stats and stories on an open public page follow the server by themselves (decisions §6). */
export function useLiveScreen({ refresh }: Navigator<Screen>, screen: Screen | undefined): void {
  const api = useApi();
  const isPublic = screen?.content.kind === 'page' && screen.name !== undefined && RENDERED_PAGES.includes(screen.name);
  const orgId = isPublic ? screen.org?.id : undefined;
  // Asked once, when following begins: what is shown later was fetched because of it.
  const versionShown = useEffectEvent(() => screen?.org?.version ?? 0);
  useEffect(() => {
    if (orgId === undefined) return;
    let stop: (() => void) | undefined;
    let left = false;
    const begin = async () => {
      const { keepUp } = await import('./keep-up.ts');
      if (left) return;
      // What failed leaves the page as it is: it is older, and not wrong.
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

/** The page itself comes first. */
const QUIET_MS = 1000;
