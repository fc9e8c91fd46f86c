import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './status-mark.module.css';

/** done: as it should be. waiting: somebody waits for it. wrong: it needs a look. plain: nothing is to be done. */
export type Tone = 'done' | 'waiting' | 'wrong' | 'plain';

/** How something stands, in a word; the colour only underlines it. */
export function StatusMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={classNames(styles.mark, tone !== 'plain' && styles[tone])}>{children}</span>;
}
