import { type RefObject, useEffect, useRef } from 'react';
import { Link } from '#web/navigation/link.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { type NoticeWay, noticeOf } from './checkout-notice.ts';
import { type CheckoutStanding, isLastWord } from './checkout-standing.ts';
import styles from './payment-notice.module.css';
import type { Checkout } from './use-checkout.ts';

type PaymentNoticeProps = {
  orgId: string;
  checkout: Pick<Checkout, 'standing' | 'goOn' | 'forget'>;
  /** Of the notice while there is one. */
  className?: string | undefined;
};

/**
 * Says where a payment stands that was begun from this page, and how to go on. It is always there, empty without a
 * payment, so that its news are read out to those who listen to the page.
 */
export function PaymentNotice({ orgId, checkout: { standing, goOn, forget }, className }: PaymentNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const notice = standing && noticeOf(standing, orgId);
  useShownNews(place, standing, notice?.words);
  const dismiss = () => {
    place.current?.focus();
    forget();
  };
  return (
    // The focus comes here when the notice is put away, and its button with it.
    <div ref={place} tabIndex={-1} className={classNames(styles.place, notice && styles.notice, notice && className)}>
      {standing && <span className={classNames(styles.window, isGiven(standing) && styles.lit)} aria-hidden="true" />}
      <output className={styles.words}>{notice?.words}</output>
      {notice && (
        <div className={styles.ways}>
          {notice.ways.map((way) => (
            <Way key={way.to} way={way} onPayment={goOn} onLast={isLastWord(standing) ? forget : undefined} />
          ))}
          {notice.dismiss !== undefined && (
            <button type="button" className={styles.dismiss} onClick={dismiss}>
              {notice.dismiss}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

type WayProps = { way: NoticeWay; onPayment: () => boolean; onLast: (() => void) | undefined };

function Way({ way: { label, to, isPayment }, onPayment, onLast }: WayProps) {
  if (isPayment) {
    return (
      <a
        href={to}
        target="_blank"
        rel="noopener"
        className={styles.way}
        // Opened by ourselves, its window can be watched.
        onClick={(event) => onPayment() && event.preventDefault()}
      >
        {label} <Icon name="external" size={16} />
      </a>
    );
  }
  return (
    // The way to the cart leads to this page in another state.
    <Link to={to} className={styles.way} aria-current={false} onClick={onLast}>
      {label}
    </Link>
  );
}

/** The window is lit once a gift has come. */
function isGiven({ kind }: CheckoutStanding): boolean {
  return kind === 'untold' || kind === 'told' || kind === 'thanked';
}

/** News are brought into view. What is found when the page is opened waits in its place. */
function useShownNews(
  place: RefObject<HTMLElement | null>,
  standing: CheckoutStanding | undefined,
  words: string | undefined,
): void {
  const before = useRef<string>(undefined);
  const isBegun = standing?.kind === 'under-way';
  useEffect(() => {
    const isNews = before.current !== undefined && (before.current !== '' || isBegun);
    before.current = words ?? '';
    if (words !== undefined && isNews) place.current?.scrollIntoView({ block: 'nearest' });
  }, [place, words, isBegun]);
}
