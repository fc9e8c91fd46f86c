import { useEffect, useState } from 'react';
import { orgIdAt, pagePath } from '#contract/pages.ts';
import { readAddress } from '#web/navigation/address.ts';
import { useAddress, useNavigator } from '#web/navigation/use-navigator.ts';

/** The address of the organisation's home page, where that was seen before and so opens without a network. */
export function useKeptHome(isOffline: boolean): string | undefined {
  const orgid = orgIdAt(readAddress(useAddress()).path);
  const [kept, setKept] = useState<string>();
  useEffect(() => {
    if (!isOffline || orgid === undefined) return;
    const home = pagePath('home-page', { orgid });
    // Where nobody can tell, no way is offered.
    void isKept(home).then(
      (isThere) => setKept(isThere ? home : undefined),
      () => setKept(undefined),
    );
  }, [isOffline, orgid]);
  return kept;
}

/** A browser tells of a network that cannot be used yet: it is tried so many milliseconds after that, too. */
const TRIES_MS = [0, 1000, 3000, 8000];

/** What did not come for want of a network is asked for again as soon as there is one. */
export function useReloadOnline(isOffline: boolean): void {
  const { reload } = useNavigator();
  useEffect(() => {
    if (!isOffline) return;
    let timers: number[] = [];
    const stop = () => timers.forEach(window.clearTimeout);
    const again = () => {
      stop();
      timers = TRIES_MS.map((wait) => window.setTimeout(() => void reload(), wait));
    };
    window.addEventListener('online', again);
    return () => {
      stop();
      window.removeEventListener('online', again);
    };
  }, [isOffline, reload]);
}

async function isKept(address: string): Promise<boolean> {
  const { hasKeptDocument } = await import('./offline.ts');
  return hasKeptDocument(address);
}
