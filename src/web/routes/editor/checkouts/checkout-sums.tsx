import { useQuery } from '@tanstack/react-query';
import type { CheckoutSums as Sums } from '#contract/schemas/checkout-records.ts';
import { MAX_COUNTED_GIFTS } from '#domain/checkout-search.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import { useApi } from '#web/session/app-context.ts';
import { SectionStatus } from '#web/ui/section-status.tsx';
import type { CheckoutFilters } from '../checkout-view.ts';
import styles from '../gift-sums.module.css';
import { sumsQuery } from './checkout-queries.ts';

type CheckoutSumsProps = { orgId: string; filters: CheckoutFilters };

/** Totals of all gifts that match the search, loaded after the list. */
export function CheckoutSums({ orgId, filters }: CheckoutSumsProps) {
  const { data: sums, isError, refetch } = useQuery({ ...sumsQuery(useApi(), orgId, filters), staleTime: 0 });
  return (
    <section aria-label="Totals for these gifts" className={styles.sums}>
      {sums ? (
        <SumsList sums={sums} status={filters.status} />
      ) : (
        <SectionStatus hasFailed={isError} onRetry={() => void refetch()} />
      )}
      {(filters.from ?? filters.to) !== undefined && (
        <p className={styles.hint}>By the gift’s date. Statements count returns on the day they happened.</p>
      )}
    </section>
  );
}

type SumsListProps = Pick<CheckoutFilters, 'status'> & { sums: Sums };

function SumsList({ sums: { checkouts, gross, refunded, fees, disputed, net }, status }: SumsListProps) {
  if (checkouts === null) {
    return (
      <p>
        <strong>More than {formatWhole(MAX_COUNTED_GIFTS)} gifts.</strong> Choose a shorter date range to see totals.
      </p>
    );
  }
  const rows = [
    // Most searches also find attempts that weren't paid.
    [status === 'paid' ? 'Gifts' : 'Rows', formatWhole(checkouts)],
    ['Paid', formatDollars(gross ?? 0)],
    ['Returned', formatDollars(refunded ?? 0)],
    ['Fees', formatDollars(fees ?? 0)],
    ...(disputed ? [['Held in open disputes', formatDollars(disputed)] as const] : []),
    ['Net', formatDollars(net ?? 0)],
  ] as const;
  return (
    <dl>
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
