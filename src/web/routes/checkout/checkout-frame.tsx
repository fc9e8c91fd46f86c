import { type ReactNode, useEffect, useRef } from 'react';
import { LitRow } from '#web/drawings/lit-row.tsx';
import { litStreet } from '#web/drawings/street.ts';
import { PageTitle } from '#web/ui/page-title.tsx';
import styles from './checkout-frame.module.css';
import { type CheckoutStage, isGiven, type StageWords } from './checkout-stage.ts';

type CheckoutFrameProps = {
  stage: CheckoutStage;
  words: StageWords;
  /** Said beside the words when the last question had no answer. */
  unanswered: boolean;
  /** Set when what the reader was at has gone from the page, so that the focus needs a new place. */
  takesFocus: boolean;
  /** What the checkout is made of. */
  summary: ReactNode;
  children: ReactNode;
};

/** How the page of a checkout is laid out, whatever its stage: where it stands, what was given, what is to do. */
export function CheckoutFrame({ stage, words, unanswered, takesFocus, summary, children }: CheckoutFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.querySelector<HTMLElement>('h1')?.focus();
  }, [takesFocus]);
  return (
    <div ref={frame}>
      <header className={styles.band} data-dark>
        <div className={styles.words}>
          <PageTitle className={styles.heading}>{words.heading}</PageTitle>
          <output className={styles.lead}>
            {words.lead}
            {unanswered && ' We could not ask just now, and try again by ourselves.'}
          </output>
        </div>
        <div className={styles.street}>
          <LitRow street={isGiven(stage) ? LIT : DARK} />
        </div>
      </header>
      <div className={styles.content}>
        <aside className={styles.summary}>{summary}</aside>
        <div className={styles.rest}>{children}</div>
      </div>
    </div>
  );
}

/** The windows are dark until the gift has come. */
const DARK = litStreet(0);
const LIT = litStreet(64);
