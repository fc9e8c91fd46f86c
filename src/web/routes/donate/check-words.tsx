import type { Cell } from '#contract/schemas/cells.ts';
import type { Site } from '#contract/schemas/site.ts';
import { CellText } from '#web/ui/markdown.tsx';
import styles from './donate.module.css';

type CheckWordsProps = {
  /** How to send a check (§2). */
  cell: Cell;
  /** Whom a check is made out to, and where it is sent. */
  payee: Pick<Site, 'parentName' | 'parentAddress'>;
};

/** How to give by check: the editors' words, and where it goes. */
export function CheckWords({ cell, payee }: CheckWordsProps) {
  return (
    <>
      <CellText html={cell.html} />
      <dl className={styles.payee}>
        <dt>Make it out to</dt>
        <dd>{payee.parentName}</dd>
        <dt>Send it to</dt>
        <dd>{payee.parentAddress}</dd>
      </dl>
    </>
  );
}
