import type { ReactNode } from 'react';
import { renderCandles } from '#web/drawings/candles.tsx';
import { LitStreet, type Street } from '#web/drawings/lit-street.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PageTitle } from '#web/ui/page.tsx';
import styles from './street-band.module.css';

type StreetBandProps = {
  heading: string;
  street: Street;
  /** Shown above the first candle. */
  caption?: string | undefined;
  tall?: boolean;
  children: ReactNode;
};

/** The dark top of a page: its heading, a sentence, and a street in which gifts light windows. */
export function StreetBand({ heading, street, caption, tall = false, children }: StreetBandProps) {
  return (
    <header className={styles.band} data-dark>
      <div className={classNames(styles.text, tall && styles.tall)}>
        <PageTitle>{heading}</PageTitle>
        {children}
      </div>
      <div className={styles.street}>
        <LitStreet street={street} caption={caption} candles={renderCandles} />
      </div>
    </header>
  );
}
