import { LitRow } from '#web/drawings/lit-row.tsx';
import { litStreet } from '#web/drawings/street.ts';
import { PageTitle } from '#web/ui/page-title.tsx';
import { type GivingTotals, totalsSentence } from './gift-words.ts';
import styles from './giving-band.module.css';

type GivingBandProps = { totals: GivingTotals };

/** The head of "My giving": what it comes to, over a street in which each gift has lit a window. */
export function GivingBand({ totals }: GivingBandProps) {
  return (
    <header className={styles.band} data-dark>
      <div className={styles.words}>
        <PageTitle className={styles.heading}>My giving</PageTitle>
        <p className={styles.lead}>{totalsSentence(totals) || 'Every gift lights a window in this street.'}</p>
      </div>
      <div className={styles.street}>
        <LitRow street={litStreet(totals.gifts)} />
      </div>
    </header>
  );
}
