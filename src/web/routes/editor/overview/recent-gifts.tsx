import { pagePath } from '#contract/pages.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { formatDollars } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { checkoutsUrl, type OpenGift } from '../checkout-view.ts';
import { useDates } from '../use-dates.ts';
import styles from './overview.module.css';

type Gift = Overview['recentGifts'][number];

const KIND_LABELS: Readonly<Record<Gift['kind'], string>> = { payment: 'Online', renewal: 'Renewal', check: 'Check' };

/** The most recent gifts and their donors. */
export function RecentGifts({ orgId, gifts }: { orgId: string; gifts: readonly Gift[] }) {
  if (gifts.length === 0) return null;
  return (
    <section aria-labelledby="latest-gifts" className={styles.section}>
      <h2 id="latest-gifts">Latest gifts</h2>
      <ol className={styles.recent}>
        {gifts.map((gift) => (
          <li key={gift.entryid}>
            <RecentGift orgId={orgId} gift={gift} />
          </li>
        ))}
      </ol>
      <p className={styles.more}>
        <Link to={pagePath('checkouts-page', { orgid: orgId })}>All gifts</Link>
      </p>
    </section>
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
