import { useInfiniteQuery } from '@tanstack/react-query';
import type { Payout, PayoutMovement } from '#contract/schemas/books.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { flattenPages } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Detail, DetailList, ListFooter, StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { ScrollArea } from '#web/ui/scroll-area.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import { checkoutsUrl } from '../checkout-view.ts';
import recordStyles from '../gift-record.module.css';
import { useDates } from '../use-dates.ts';
import styles from './books.module.css';
import { movementsQuery, payoutsUrl } from './route.ts';

const STATUS_LABELS: Readonly<Record<Payout['status'] | 'differs', { readonly label: string; readonly tone: Tone }>> = {
  'in-transit': { label: 'On its way', tone: 'waiting' },
  paid: { label: 'Adds up', tone: 'done' },
  failed: { label: 'Returned by the bank', tone: 'error' },
  differs: { label: 'Doesn’t add up', tone: 'error' },
};

const ARRIVAL_LABELS: Readonly<Record<Payout['status'], string>> = {
  'in-transit': 'Expected on',
  paid: 'Arrived on',
  failed: 'Was expected on',
};

type PayoutDialogProps = { orgId: string; payout: Payout; onClose: () => void };

/** A payout as it appears on the bank statement, and its contents. */
export function PayoutDialog({ orgId, payout, onClose }: PayoutDialogProps) {
  const footer = (
    <Button kind="outline" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Dialog title={`Payout of ${formatDollars(payout.amount)}`} wide hasOwnAddress onClose={onClose} footer={footer}>
      <PayoutDetails orgId={orgId} payout={payout} />
    </Dialog>
  );
}

export function PayoutDetails({ orgId, payout }: { orgId: string; payout: Payout }) {
  const { id, amount, arrivesOn, status } = payout;
  const rows = getRows(payout);
  const sum = rows.reduce((cents, row) => cents + Math.round(row.amount * 100), 0) / 100;
  const { label, tone } = STATUS_LABELS[status === 'paid' && sum !== amount ? 'differs' : status];
  return (
    <>
      <DetailList>
        <Detail name="Bank deposit">{formatDollars(amount)}</Detail>
        <Detail name={ARRIVAL_LABELS[status]}>{dayText(arrivesOn)}</Detail>
        <Detail name="Status">
          <StatusMark tone={tone}>{label}</StatusMark>
        </Detail>
        <Detail name="Number">
          <code>{id}</code>
        </Detail>
      </DetailList>
      {status === 'failed' && <Replacement orgId={orgId} payout={payout} />}
      <h3 className={recordStyles.subheading}>Includes</h3>
      <dl className={styles.contents}>
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
      <h3 className={recordStyles.subheading}>Transactions</h3>
      <MovementTable orgId={orgId} payoutId={id} />
    </>
  );
}

/** Link to the later payout that includes the money from a returned one. */
function Replacement({ orgId, payout: { replacementPayoutId } }: { orgId: string; payout: Payout }) {
  if (replacementPayoutId === null) return <p>A later payout includes this money.</p>;
  return (
    <p>
      This money was included in <Link to={payoutsUrl(orgId, { line: replacementPayoutId })}>a later payout</Link>.
    </p>
  );
}

/** Rows for the gifts and for each other amount that isn't zero. */
function getRows(payout: Payout) {
  const rows = [
    { name: 'Gifts', amount: payout.gifts },
    { name: 'Fees', amount: payout.fees },
    { name: 'Refunds', amount: payout.refunds },
    { name: 'Disputes', amount: payout.disputes },
    { name: 'Returned payout', amount: payout.returned },
    { name: 'Manual payout', amount: payout.manualPayouts },
    { name: 'Other funds in this account', amount: payout.otherOrgs },
    { name: 'Reserves and other account transactions', amount: payout.accountMovements },
  ];
  return rows.filter(({ name, amount }) => name === 'Gifts' || amount !== 0);
}

const KIND_LABELS: Readonly<Record<PayoutMovement['kind'], string>> = {
  payment: 'Gift',
  refund: 'Refund',
  dispute: 'Dispute',
  'returned-payout': 'Payout returned',
  manual: 'Manual payout',
  fee: 'Account fee',
};

function MovementTable({ orgId, payoutId }: { orgId: string; payoutId: string }) {
  const { formatDate } = useDates();
  const query = useInfiniteQuery(movementsQuery(useApi(), orgId, payoutId));
  if (!query.data) return <SectionStatus hasFailed={query.isError} onRetry={() => void query.refetch()} />;
  const getGiftUrl = (id: string) => checkoutsUrl(orgId, {}, { openGift: { kind: 'card', id } });
  return (
    <>
      <ScrollArea label="Transactions in this payout" className={styles.tableArea}>
        <table className={styles.table}>
          <thead className={styles.heads}>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Description</th>
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
            {flattenPages(query.data.pages).map(({ id, at, kind, donor, checkoutid: checkoutId, gross, fee, net }) => (
              <tr key={id}>
                <td>{formatDate(at)}</td>
                <td>
                  {KIND_LABELS[kind]}
                  {checkoutId !== null && (
                    <>
                      , <Link to={getGiftUrl(checkoutId)}>{donor ?? 'Unknown donor'}</Link>
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
      </ScrollArea>
      <ListFooter
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        problem={query.isFetchNextPageError ? failureMessage(query.error) : undefined}
        itemNoun="transactions"
        onMore={() => void query.fetchNextPage()}
      />
    </>
  );
}
