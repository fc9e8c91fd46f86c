import { useEffect, useEffectEvent, useRef } from 'react';

/** Runs a function once, when the component is mounted and ready. React's strict mode, which mounts twice, doesn't repeat it. */
export function useOnce(run: () => void, isReady = true): void {
  const hasRun = useRef(false);
  const runNow = useEffectEvent(run);
  useEffect(() => {
    if (hasRun.current || !isReady) return;
    hasRun.current = true;
    runNow();
  }, [isReady]);
}
