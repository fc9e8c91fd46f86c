import { useSuspenseQuery } from '@tanstack/react-query';
import type { Statement } from '#contract/schemas/books.ts';
import { ENTRY_TITLES } from '#domain/books.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import {
  ACCOUNT_TITLES,
  COUNT_TITLES,
  formatPeriod,
  getPeriodMonths,
  isMonth,
  STATEMENT_ROW_TITLES,
  STATEMENT_ROWS,
  UNDEPOSITED_TITLE,
} from '#domain/statement.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Cluster } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { ScrollArea } from '#web/ui/scroll-area.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorPage } from '../editor-frame.tsx';
import styles from './books.module.css';
import { MonthSelect } from './month-select.tsx';
import { payoutsUrl, type StatementData, statementQuery, statementUrl } from './route.ts';

/** Opening balance, movements, and closing balance of a month or year. */
export function StatementPage({ org, site, period: selectedPeriod }: OrgPageProps & StatementData) {
  const { data: statement } = useSuspenseQuery(statementQuery(useApi(), org.id, selectedPeriod));
  const { period } = statement;
  return (
    <EditorPage
      org={org}
      title={`Statement for ${formatPeriod(period)}`}
      subtitle="The fund’s balances at the start and end of each month or year, and what changed in between."
    >
      <MonthSelect {...statement} hasYears getUrl={(newPeriod) => statementUrl(org.id, newPeriod)} />
      <Cluster>
        {site.sandbox && <StatusMark tone="waiting">Sandbox: no money moved</StatusMark>}
        <StatementStatus orgId={org.id} statement={statement} />
      </Cluster>
      <StatementCounts statement={statement} />
      <StatementTable statement={statement} />
      <LateEntries lateEntries={statement.lateEntries} />
      <Downloads orgId={org.id} period={period} />
    </EditorPage>
  );
}

type StatementStatusProps = { orgId: string; statement: Statement };

function StatementStatus({ orgId, statement: { period, lastMonth, closedOn } }: StatementStatusProps) {
  const { last } = getPeriodMonths(period);
  if (closedOn !== null) return <StatusMark tone="done">Closed on {dayText(closedOn)}</StatusMark>;
  if (last >= lastMonth) return <span>This {isMonth(period) ? 'month' : 'year'} isn’t over yet.</span>;
  return (
    <>
      <StatusMark tone="waiting">Not closed yet</StatusMark>
      <Link to={payoutsUrl(orgId, { month: last })}>Compare it with your bank statement</Link>
    </>
  );
}

function StatementTable({ statement }: { statement: Statement }) {
  const accounts = [
    { title: ACCOUNT_TITLES.provider, balances: statement.provider, className: styles.number },
    { title: ACCOUNT_TITLES.bank, balances: statement.bank, className: styles.number },
    { title: ACCOUNT_TITLES.disputed, balances: statement.disputed, className: styles.number },
    { title: 'Total', balances: statement.all, className: classNames(styles.number, styles.all) },
  ];
  return (
    <ScrollArea label={`Statement for ${formatPeriod(statement.period)}`} className={styles.tableArea}>
      <table className={classNames(styles.table, styles.statement, styles.card)}>
        <thead className={styles.heads}>
          <tr>
            <th scope="col">
              <VisuallyHidden>Movement</VisuallyHidden>
            </th>
            {accounts.map(({ title, className }) => (
              <th key={title} scope="col" className={className}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {STATEMENT_ROWS.map((row) => {
            const isBalance = row === 'opening' || row === 'closing';
            const isEmpty = !isBalance && accounts.every(({ balances }) => balances[row] === 0);
            return (
              <tr key={row} className={classNames(isBalance && styles.balance, isEmpty && styles.noMovement)}>
                <th scope="row" className={styles.row}>
                  {STATEMENT_ROW_TITLES[row]}
                </th>
                {accounts.map(({ title, balances, className }) => {
                  const isZero = !isBalance && balances[row] === 0;
                  return (
                    <td key={title} className={classNames(className, isZero && styles.zero)} data-account={title}>
                      {isZero ? '–' : formatDollars(balances[row])}
                    </td>
                  );
                })}
              </tr>
            );
          })}
          {statement.undeposited !== 0 && (
            <tr>
              <th scope="row" className={styles.row}>
                {UNDEPOSITED_TITLE}
              </th>
              {accounts.map(({ title, className }) => (
                <td
                  key={title}
                  className={classNames(className, title !== ACCOUNT_TITLES.bank && styles.zero)}
                  data-account={title}
                >
                  {title === ACCOUNT_TITLES.bank ? formatDollars(statement.undeposited) : '–'}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function StatementCounts({ statement: { given, donors, grantsPaid } }: { statement: Statement }) {
  const rows = [
    [COUNT_TITLES.given, formatDollars(given)],
    [COUNT_TITLES.donors, formatWhole(donors)],
    [COUNT_TITLES.grants, formatWhole(grantsPaid)],
  ] as const;
  return (
    <dl className={styles.counts}>
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function LateEntries({ lateEntries }: Pick<Statement, 'lateEntries'>) {
  if (lateEntries.length === 0) return null;
  return (
    <section>
      <h2>Entries dated in a closed month</h2>
      <ul>
        {lateEntries.map(({ id, kind, bookedOn, datedOn, amount }) => (
          <li key={id}>
            {dayText(bookedOn)}: {ENTRY_TITLES[kind]}, dated {dayText(datedOn)}, {formatDollars(amount)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const FILES = [
  {
    label: 'PDF',
    call: 'downloadStatementPdf',
    name: 'statement',
    extension: 'pdf',
    type: 'application/pdf',
    query: {},
  },
  { label: 'CSV', call: 'downloadStatementTable', name: 'statement', extension: 'csv', type: 'text/csv', query: {} },
  {
    label: 'QuickBooks: card processor',
    call: 'downloadQuickBooks',
    name: 'quickbooks',
    extension: 'csv',
    type: 'text/csv',
    query: { account: 'provider' },
  },
  {
    label: 'QuickBooks: checks and grants',
    call: 'downloadQuickBooks',
    name: 'quickbooks-bank',
    extension: 'csv',
    type: 'text/csv',
    query: { account: 'bank' },
  },
] as const;

function Downloads({ orgId, period }: { orgId: string; period: string }) {
  const api = useApi();
  const { run, busy, problem } = useAttempt();
  // QuickBooks files exist for months only.
  const files = FILES.filter(({ name }) => name === 'statement' || isMonth(period));
  const download = async ({ call, name, extension, type, query }: (typeof FILES)[number]) =>
    saveFile(
      `${name}_${period}.${extension}`,
      await api.download(call, { params: { orgid: orgId }, query: { period, ...query } }),
      type,
    );
  return (
    <section aria-label="Downloads">
      <Cluster>
        {files.map((file) => (
          <Button key={file.label} kind="outline" busy={busy} onClick={() => void run(() => download(file))}>
            {file.label}
          </Button>
        ))}
      </Cluster>
      <Problem>{problem}</Problem>
      {isMonth(period) && (
        <p className={styles.hint}>
          For QuickBooks Online, create one bank account for the card processor and one for your bank, and upload each
          file to the matching account. Payouts are transfers from the first to the second.
        </p>
      )}
    </section>
  );
}
