import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActionStamp, BankCheck, BankLine, BankMonth } from '#contract/schemas/bank.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { formatMonth } from '#domain/statement.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { List } from '#web/ui/list-page.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Table } from '#web/ui/table.tsx';
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { checkoutsUrl } from '../checkout-view.ts';
import styles from '../two-line-cell.module.css';
import { bankMonthQuery, payoutsUrl } from './route.ts';

type BankLinesProps = { orgId: string; bank: BankMonth; canChange: boolean };

/** Table with a row for each line of the bank statement. */
export function BankLines({ orgId, bank: { month, lines }, canChange }: BankLinesProps) {
  return (
    <List items={lines} itemNoun="lines" empty={`No payouts or deposits in ${formatMonth(month)}.`}>
      {(rows) => (
        <Table
          caption={`Payouts and deposits in ${formatMonth(month)}, oldest first`}
          rows={rows}
          columns={[
            { heading: 'Date', kind: 'detail', cell: (line) => <LineDate line={line} /> },
            {
              heading: 'Description',
              kind: 'title',
              cell: (line) => (
                <>
                  <LineLink orgId={orgId} month={month} line={line} />
                  <span className={styles.secondary}>{describeContents(line)}</span>
                </>
              ),
            },
            { heading: 'Amount', kind: 'amount', cell: ({ amount }) => formatDollars(amount) },
            {
              heading: 'On bank statement',
              kind: 'status',
              cell: (line) => <StatementMark orgId={orgId} month={month} line={line} canChange={canChange} />,
            },
          ]}
        />
      )}
    </List>
  );
}

/** Opens the line's dialog or, for a bounced check, its gift. */
function LineLink({ orgId, month, line }: { orgId: string; month: string; line: BankLine }) {
  if (line.kind === 'bounced-check') {
    const gift = checkoutsUrl(orgId, {}, { openGift: { kind: 'check', id: line.check.pledgeid } });
    return <Link to={gift}>{getLineTitle(line)}</Link>;
  }
  return (
    <Link to={payoutsUrl(orgId, { month, line: line.id })} keepScroll>
      {getLineTitle(line)}
    </Link>
  );
}

function LineDate({ line }: { line: BankLine }) {
  const day = getLineDay(line);
  return <time dateTime={day}>{dayText(day)}</time>;
}

function getLineDay(line: BankLine): string {
  if (line.kind === 'bounced-check') return line.recordedOn;
  return line.kind === 'payout' ? line.arrivesOn : line.depositedOn;
}

function getLineTitle(line: BankLine): string {
  if (line.kind === 'payout') return 'Card payout';
  if (line.kind === 'bounced-check') return 'Bounced check';
  return line.checks.length === 1 ? 'Deposit of 1 check' : `Deposit of ${line.checks.length} checks`;
}

const MAX_NAMES = 3;

function getCheckName({ name }: BankCheck): string {
  return name ?? 'a deleted account';
}

function describeContents(line: BankLine): string {
  if (line.kind === 'bounced-check') return getCheckName(line.check);
  if (line.kind === 'deposit') {
    const names = line.checks.map(getCheckName);
    const otherCount = names.length - MAX_NAMES;
    return formatList(otherCount > 1 ? [...names.slice(0, MAX_NAMES), `${otherCount} others`] : names);
  }
  const count = line.movements === 1 ? '1 transaction' : `${line.movements} transactions`;
  return line.share === line.amount ? count : `${count}, including ${formatDollars(line.share)} for this fund`;
}

type StatementMarkProps = { orgId: string; month: string; line: BankLine; canChange: boolean };

/** A checkbox that marks a line as seen on the bank statement, with the name of the person who checked it. */
function StatementMark({ orgId, month, line, canChange }: StatementMarkProps) {
  const mark = useMark(orgId, month, line);
  const isFailed = line.kind === 'payout' && line.status === 'failed';
  return (
    <>
      {isFailed && <StatusMark tone="error">Returned by the bank</StatusMark>}
      {line.kind === 'payout' && line.status === 'in-transit' && <StatusMark tone="waiting">On its way</StatusMark>}
      {canChange && (!isFailed || mark.isSeen) && (
        <Checkbox checked={mark.isSeen} onChange={({ currentTarget }) => mark.change(currentTarget.checked)}>
          On statement
          <VisuallyHidden>
            : {getLineTitle(line)}, {formatDollars(line.amount)}, {dayText(getLineDay(line))}
          </VisuallyHidden>
        </Checkbox>
      )}
      {!canChange && !isFailed && (
        <StatusMark tone={mark.isSeen ? 'done' : 'plain'}>
          {mark.isSeen ? 'On statement' : 'Not on statement yet'}
        </StatusMark>
      )}
      {line.seen && <span className={styles.secondary}>{formatStamp(line.seen)}</span>}
    </>
  );
}

/** "Tess Treasurer, June 3, 2026" */
export function formatStamp({ by, on }: ActionStamp): string {
  return `${by ?? 'A former team member'}, ${dayText(on)}`;
}

/** Marks a line as seen on the bank statement. Updates the checkbox before the server responds. */
function useMark(orgId: string, month: string, { kind, id, seen: seenStamp }: BankLine) {
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, variables } = useMutation({
    // Sends requests one at a time: the server keeps the last one it receives.
    scope: { id: `bank-line-${kind}-${id}` },
    mutationFn: (isSeen: boolean) =>
      api.call('markBankLine', { params: { orgid: orgId, kind, lineid: id }, body: { seen: isSeen } }),
    onSuccess: ({ seen: newStamp }) =>
      client.setQueryData(
        bankMonthQuery(api, orgId, { month }).queryKey,
        (bank) =>
          bank && { ...bank, lines: bank.lines.map((line) => (line.id === id ? { ...line, seen: newStamp } : line)) },
      ),
    onError: (error) => toast(failureMessage(error)),
  });
  return { isSeen: isPending ? variables : seenStamp !== null, change: mutate };
}
