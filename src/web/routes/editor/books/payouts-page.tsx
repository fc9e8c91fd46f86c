import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankMonth } from '#contract/schemas/bank.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { formatDollars } from '#domain/money.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { EditorPage } from '../editor-frame.tsx';
import { BankLines } from './bank-lines.tsx';
import styles from './books.module.css';
import { DepositDialog } from './deposit-dialog.tsx';
import { DepositSlipDialog } from './deposit-slip-dialog.tsx';
import { MonthClosing } from './month-closing.tsx';
import { MonthSelect } from './month-select.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { bankMonthQuery, type PayoutsData, payoutsUrl } from './route.ts';
import { sumChecks } from './sum-checks.ts';

/** A month's payouts and deposits, to compare with the bank statement before the month is closed. */
export function PayoutsPage({ org, site, month, lineId }: OrgPageProps & PayoutsData) {
  const { data: bank } = useSuspenseQuery(bankMonthQuery(useApi(), org.id, { month }));
  const canReconcile = useCan(org.id)('books.reconcile');
  const canChange = canReconcile && bank.closing === null;
  return (
    <EditorPage
      org={org}
      title="Payouts"
      subtitle="The money that reached your bank account. Check off what you see on your bank statement, then close the month."
    >
      <Cluster gap={4} className={styles.bar}>
        <MonthSelect {...bank} period={month} getUrl={(newMonth) => payoutsUrl(org.id, { month: newMonth })} />
        <MonthMark bank={bank} />
        {site.sandbox && <StatusMark tone="waiting">Sandbox: no money moved</StatusMark>}
      </Cluster>
      <Stack gap={5}>
        {bank.checks.length > 0 && <ChecksToDeposit orgId={org.id} bank={bank} canChange={canChange} />}
        <BankLines orgId={org.id} bank={bank} canChange={canChange} />
        <MonthClosing orgId={org.id} bank={bank} canReconcile={canReconcile} />
      </Stack>
      {lineId !== undefined && <LineDialog key={lineId} org={org} bank={bank} lineId={lineId} canChange={canChange} />}
    </EditorPage>
  );
}

function MonthMark({ bank: { closing, isOver } }: { bank: BankMonth }) {
  if (closing) return <StatusMark tone="done">Closed</StatusMark>;
  return isOver ? <StatusMark tone="waiting">Open</StatusMark> : <StatusMark tone="plain">In progress</StatusMark>;
}

type ChecksToDepositProps = { orgId: string; bank: BankMonth; canChange: boolean };

/** Checks that aren't in a deposit yet. */
function ChecksToDeposit({ orgId, bank: { checks, isOver }, canChange }: ChecksToDepositProps) {
  /** Id of the next deposit, the same for every attempt to save it. */
  const [depositId, setDepositId] = useState<string>();
  return (
    <Card aria-labelledby="checks-to-deposit">
      <Cluster gap={4} className={styles.checks}>
        <div>
          <h2 id="checks-to-deposit">
            {checks.length === 1 ? '1 check' : `${checks.length} checks`} to deposit, {formatDollars(sumChecks(checks))}
          </h2>
          <p>Checks deposited together appear as one line on your bank statement.</p>
        </div>
        {canChange && <Button onClick={() => setDepositId(crypto.randomUUID())}>Make a deposit slip</Button>}
      </Cluster>
      {depositId !== undefined && (
        <DepositSlipDialog
          orgId={orgId}
          depositId={depositId}
          checks={checks}
          isOver={isOver}
          onClose={() => setDepositId(undefined)}
        />
      )}
    </Card>
  );
}

type LineDialogProps = { org: Org; bank: BankMonth; lineId: string; canChange: boolean };

/** Dialog for the payout or deposit in the URL. Closing it returns to the month's URL. */
function LineDialog({ org, bank, lineId, canChange }: LineDialogProps) {
  const navigator = useNavigator();
  const line = bank.lines.find(({ id }) => id === lineId);
  const close = () => void navigator.goBackTo(payoutsUrl(org.id, { month: bank.month }));
  if (!line || line.kind === 'bounced-check') return null;
  return line.kind === 'payout' ? (
    <PayoutDialog orgId={org.id} payout={line} onClose={close} />
  ) : (
    <DepositDialog orgId={org.id} deposit={line} canUndo={canChange} onClose={close} />
  );
}
