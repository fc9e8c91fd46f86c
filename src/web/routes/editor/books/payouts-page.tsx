import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payout, PayoutMovement } from '#contract/schemas/books.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { itemsOf, useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { ListFoot, StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { PartStatus } from '#web/ui/part-status.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { checkoutsAddress } from '../checkouts/checkout-view.ts';
import { EditorArea } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import styles from './books.module.css';
import { movementsQuery, payoutsQuery } from './route.ts';

/** Each payout as the bank's line next to its contents. */
export function PayoutsPage({ org, site }: OrgPageProps) {
  const list = useList(payoutsQuery(useApi(), org.id));
  return (
    <EditorArea org={org}>
      <ListPage
        {...list}
        title="Payouts"
        lead="What the card processor sent to the bank. Compare each payout with your bank statement."
        above={
          site.sandbox && (
            <p className={styles.mark}>
              <StatusMark tone="waiting">Sandbox: no money moved</StatusMark>
            </p>
          )
        }
        what="payouts"
        empty="No payouts yet. The first one appears here when the card processor sends it to the bank."
      >
        {(payouts) => (
          <ul className={styles.payouts}>
            {payouts.map((payout) => (
              <li key={payout.id} id={payout.id}>
                <PayoutCard orgId={org.id} payout={payout} />
              </li>
            ))}
          </ul>
        )}
      </ListPage>
    </EditorArea>
  );
}

const STATES: Readonly<Record<Payout['status'] | 'differs', { readonly label: string; readonly tone: Tone }>> = {
  'in-transit': { label: 'On its way', tone: 'waiting' },
  paid: { label: 'Matches', tone: 'done' },
  failed: { label: 'Not received', tone: 'wrong' },
  differs: { label: 'Differs', tone: 'wrong' },
};

const ARRIVAL: Readonly<Record<Payout['status'], string>> = {
  'in-transit': 'Expected on',
  paid: 'Arrived on',
  failed: 'Was expected on',
};

function PayoutCard({ orgId, payout }: { orgId: string; payout: Payout }) {
  const { id, amount, arrivesOn, status, movements, returnedIn } = payout;
  const rows = rowsOf(payout);
  const sum = rows.reduce((cents, row) => cents + Math.round(row.amount * 100), 0) / 100;
  const { label, tone } = STATES[status === 'paid' && sum !== amount ? 'differs' : status];
  return (
    <section className={styles.payout} aria-label={`Payout of ${formatDollars(amount)}, ${dayText(arrivesOn)}`}>
      <div className={styles.bank}>
        <h2>
          <span className={styles.part}>Bank deposit</span> {formatDollars(amount)}
        </h2>
        <p>
          {ARRIVAL[status]} <time dateTime={arrivesOn}>{dayText(arrivesOn)}</time>
        </p>
        <StatusMark tone={tone}>{label}</StatusMark>
        {status === 'failed' && (
          <p>
            {returnedIn === null ? (
              'A later payout includes this money.'
            ) : (
              <>
                This money was included in <a href={`#${returnedIn}`}>a later payout</a>.
              </>
            )}
          </p>
        )}
        <p className={styles.id}>{id}</p>
      </div>
      <div className={styles.contents}>
        <h3 className={styles.part}>Includes</h3>
        <dl>
          {rows.map(({ name, amount: dollars }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatDollars(dollars)}</dd>
            </div>
          ))}
          <div className={styles.total}>
            <dt>Sum</dt>
            <dd>{formatDollars(sum)}</dd>
          </div>
        </dl>
        <Movements orgId={orgId} payoutId={id} count={movements} />
      </div>
    </section>
  );
}

/** The gifts, and the other amounts unless they are zero. */
function rowsOf(payout: Payout) {
  const rows = [
    { name: 'Gifts', amount: payout.gifts },
    { name: 'Fees', amount: payout.fees },
    { name: 'Refunds', amount: payout.refunds },
    { name: 'Disputes', amount: payout.disputes },
    { name: 'Returned payout', amount: payout.returned },
    { name: 'Manual payout', amount: payout.manual },
    { name: 'Other funds in this account', amount: payout.others },
    { name: 'Reserves and other account transactions', amount: payout.accountMovements },
  ];
  return rows.filter(({ name, amount }) => name === 'Gifts' || amount !== 0);
}

type MovementsProps = { orgId: string; payoutId: string; count: number };

function Movements({ orgId, payoutId, count }: MovementsProps) {
  const [isOpen, setOpened] = useState(false);
  const countText = count === 1 ? '1 transaction' : `${count} transactions`;
  return (
    <>
      <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} {countText}
        <VisuallyHidden> of payout {payoutId}</VisuallyHidden>
      </Button>
      {isOpen && <MovementTable orgId={orgId} payoutId={payoutId} />}
    </>
  );
}

const KINDS: Readonly<Record<PayoutMovement['kind'], string>> = {
  payment: 'Gift',
  refund: 'Refund',
  dispute: 'Dispute',
  'returned-payout': 'Payout returned',
  manual: 'Manual payout',
  fee: 'Account fee',
};

/** Lets the keyboard scroll it. */
const FOCUSABLE = { tabIndex: 0 } as const;

function MovementTable({ orgId, payoutId }: Omit<MovementsProps, 'count'>) {
  const { dateText } = useDates();
  const query = useInfiniteQuery(movementsQuery(useApi(), orgId, payoutId));
  if (!query.data) return <PartStatus failed={query.isError} onRetry={() => void query.refetch()} />;
  const addressOf = (id: string) => checkoutsAddress(orgId, {}, { openGift: { kind: 'card', id } });
  return (
    <>
      <section className={styles.scroll} aria-label="Transactions in this payout" {...FOCUSABLE}>
        <table className={styles.table}>
          <thead className={styles.heads}>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">What</th>
              <th scope="col" className={styles.number}>
                Amount
              </th>
              <th scope="col" className={styles.number}>
                Fee
              </th>
              <th scope="col" className={styles.number}>
                Net
              </th>
            </tr>
          </thead>
          <tbody>
            {itemsOf(query.data.pages).map(({ id, at, kind, donor, checkoutid: checkoutId, gross, fee, net }) => (
              <tr key={id}>
                <td>{dateText(at)}</td>
                <td>
                  {KINDS[kind]}
                  {checkoutId !== null && (
                    <>
                      , <Link to={addressOf(checkoutId)}>{donor ?? 'Unknown donor'}</Link>
                    </>
                  )}
                </td>
                <td className={styles.number}>{formatDollars(gross)}</td>
                <td className={styles.number}>{formatDollars(fee)}</td>
                <td className={styles.number}>{formatDollars(net)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ListFoot
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        problem={query.isFetchNextPageError ? failureMessage(query.error) : undefined}
        what="transactions"
        onMore={() => void query.fetchNextPage()}
      />
    </>
  );
}
