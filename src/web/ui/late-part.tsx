import { type ReactNode, useEffect } from 'react';
import { Button } from './button.tsx';
import { type Late, useLate } from './late.ts';
import styles from './late-part.module.css';

type LatePartProps<T> = {
  of: Late<T>;
  /** What is shown once the part is here. */
  children: (part: T) => ReactNode;
};

/** The place of a part that is fetched when it is first shown, and what stands there until then. */
export function LatePart<T>({ of, children }: LatePartProps<T>) {
  const state = useLate(of);
  const { fetch } = of;
  useEffect(() => fetch(), [fetch]);
  if (state.kind === 'here') return children(state.part);
  return (
    <div className={styles.waiting}>
      {state.kind === 'waiting' ? (
        <p>Loading…</p>
      ) : (
        <>
          <p role="alert">This could not be loaded. Please check your connection.</p>
          <Button kind="outline" onClick={fetch}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
