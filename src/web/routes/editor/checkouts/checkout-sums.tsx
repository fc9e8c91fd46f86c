import { useState } from 'react';
import type { CheckoutSums as Sums } from '#contract/schemas/checkout-records.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import { useApi } from '#web/session/app-context.ts';
import { LazyPart, lazyModule } from '#web/ui/lazy-part.tsx';
import styles from '../treasury.module.css';
import { type CheckoutFilters, searchBodyOf } from './checkout-view.ts';

type CheckoutSumsProps = { orgid: string; filters: CheckoutFilters };

/** Totals of all checkouts of a search, loaded after the list. */
export function CheckoutSums({ orgid, filters }: CheckoutSumsProps) {
  const api = useApi();
  const [sums] = useState(() =>
    lazyModule(() => api.call('sumCheckouts', { params: { orgid }, body: searchBodyOf(filters) })),
  );
  return (
    <section aria-label="Totals for these checkouts" className={styles.sums}>
      <LazyPart module={sums}>{(loaded) => <SumsList sums={loaded} />}</LazyPart>
    </section>
  );
}

function SumsList({ sums: { checkouts, gross, refunded, fees, net } }: { sums: Sums }) {
  const rows = [
    ['Checkouts', formatWhole(checkouts)],
    ['Paid', formatDollars(gross)],
    ['Returned', formatDollars(refunded)],
    ['Fees', formatDollars(fees)],
    ['Net', formatDollars(net)],
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
