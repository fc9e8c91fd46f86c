import type { AvailableFundsResponse } from '#contract/schemas/grants.ts';
import { formatDollars } from '#domain/money.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Card } from '#web/ui/layout.tsx';
import styles from './grants.module.css';

/** Amount available for grants today, and how it is calculated. */
export function AvailableFunds({ funds }: { funds: AvailableFundsResponse }) {
  const { gifts, fees, disputed, paid, promised, available, processorBalance } = funds;
  const rows = [
    ['Gifts, minus refunds, lost disputes, and bounced checks', gifts],
    ['Card processor fees', -fees],
    ['Held in open disputes', -disputed],
    ['Grants paid', -paid],
    ['Grants promised but not paid yet', -promised],
  ] as const;
  return (
    <Card aria-labelledby="free-money" className={styles.money}>
      <h2 id="free-money">Available for grants</h2>
      <p className={styles.available}>{formatDollars(available)}</p>
      {available < 0 && <p>Promised and paid grants exceed gifts. Other funds must cover the difference.</p>}
      {processorBalance > 0 && (
        <p>{formatDollars(processorBalance)} is still with the card processor, not in your bank yet.</p>
      )}
      <Disclosure className={styles.details} summary="How this is calculated">
        <table className={styles.sum}>
          <tbody>
            {rows.map(([title, amount]) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td>{formatDollars(amount === 0 ? 0 : amount)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">Available</th>
              <td>{formatDollars(available)}</td>
            </tr>
          </tbody>
        </table>
        <p>
          Only money in these books counts. Corrections to the totals and pledged checks that haven’t arrived don’t
          count. Your organization’s other spending isn’t included.
        </p>
      </Disclosure>
    </Card>
  );
}
