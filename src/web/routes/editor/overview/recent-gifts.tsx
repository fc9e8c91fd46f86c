import { pagePath } from '#contract/pages.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { formatDollars } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { checkoutsUrl, type OpenGift } from '../checkouts/checkout-view.ts';
import { useDates, useToday } from '../use-dates.ts';
import styles from './overview.module.css';

type Gift = Overview['recentGifts'][number];

const KIND_LABELS: Readonly<Record<Gift['kind'], string>> = { payment: 'Online', renewal: 'Renewal', check: 'Check' };

/** This month compared with the same days a year ago, and the last gifts with their donors. */
export function RecentGifts({ orgId, overview }: { orgId: string; overview: Overview }) {
  const today = useToday();
  const { recentGifts, month } = overview;
  const formatDay = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4, 8)}01`;
  return (
    <>
      <dl className={styles.figures}>
        <div>
          <dt>{formatDay(today, { month: 'long' })} so far</dt>
          <dd>{formatDollars(month.amount)}</dd>
        </div>
        <div>
          <dt>By this day in {formatDay(yearAgo, { month: 'long', year: 'numeric' })}</dt>
          <dd>{formatDollars(month.lastYear)}</dd>
        </div>
      </dl>
      {recentGifts.length > 0 && (
        <div className={styles.waiting}>
          <h3>Latest gifts</h3>
          <ol className={styles.recent}>
            {recentGifts.map((gift) => (
              <li key={gift.entryid}>
                <RecentGift orgId={orgId} gift={gift} />
              </li>
            ))}
          </ol>
          <p className={styles.more}>
            <Link to={pagePath('checkouts-page', { orgid: orgId })}>All gifts</Link>
          </p>
        </div>
      )}
    </>
  );
}

function RecentGift({ orgId, gift }: { orgId: string; gift: Gift }) {
  const { formatDate } = useDates();
  const { kind, entryid, giftid: id, name, amount, bookedTimestamp } = gift;
  // A gift without a record links to the whole list.
  const openGift = id === null ? undefined : toOpenGift(kind, id, entryid);
  return (
    <Link to={checkoutsUrl(orgId, {}, { openGift })}>
      <span>
        {name ?? 'Deleted donor'}
        <small>
          {KIND_LABELS[kind]} · {formatDate(bookedTimestamp)}
        </small>
      </span>
      <span>{formatDollars(amount)}</span>
    </Link>
  );
}

/** Opens the same record as the row in the list of gifts. */
function toOpenGift(kind: Gift['kind'], id: string, entryId: string): OpenGift {
  if (kind === 'check') return { kind: 'check', id };
  return { kind: 'card', id, paymentEntryId: kind === 'renewal' ? entryId : undefined };
}
