import { type FollowOptions, followOrg } from './follow-org.ts';

export type KeepUpOptions = Pick<FollowOptions, 'orgId' | 'since' | 'api'> & {
  /** Brings what is shown up to date. */
  readonly refresh: () => Promise<void>;
};

/** Every open page hears of a gift at once; that they do not all ask at once, each waits for its own short while. */
const SPREAD_MS = 500;

/**
 * Keeps an open page up to date while somebody may look at it. Several changes that come while one is fetched are
 * fetched together.
 * @returns how to stop
 */
export function keepUp({ orgId, since, api, refresh }: KeepUpOptions): () => void {
  let shown = since;
  let wanted = since;
  let underWay = false;
  let stopFollowing: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const catchUp = async () => {
    if (underWay) return;
    underWay = true;
    while (shown < wanted && stopFollowing) {
      const version = wanted;
      await refresh().catch(() => {});
      // Also after a failure: the next change, or the next look at the page, tries again.
      shown = version;
    }
    underWay = false;
  };
  const follow = () => {
    stopFollowing ??= followOrg({
      orgId,
      since: shown,
      api,
      openStream: (url) => new EventSource(url),
      onVersion: (version) => {
        wanted = version;
        clearTimeout(timer);
        timer = setTimeout(() => void catchUp(), Math.random() * SPREAD_MS);
      },
    });
  };
  const stop = () => {
    stopFollowing?.();
    stopFollowing = undefined;
    clearTimeout(timer);
  };
  const atSight = () => (document.visibilityState === 'visible' ? follow() : stop());
  const again = () => {
    stop();
    atSight();
  };
  document.addEventListener('visibilitychange', atSight);
  window.addEventListener('online', again);
  atSight();
  return () => {
    document.removeEventListener('visibilitychange', atSight);
    window.removeEventListener('online', again);
    stop();
  };
}
