import { type ReactNode, useState } from 'react';
import type { BankMonth } from '#contract/schemas/bank.ts';
import { reasonFailure } from '#domain/books.ts';
import { addDays, dayText } from '#domain/days.ts';
import { isReadyToClose, listUnseenLines } from '#domain/month-closing.ts';
import { addMonths, firstDayOfMonth, formatMonth } from '#domain/statement.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { pluralize } from '#web/ui/pluralize.ts';
import { useToast } from '#web/ui/toast.tsx';
import { ReasonField } from '../payment-fields.tsx';
import { formatStamp } from './bank-lines.tsx';
import styles from './books.module.css';
import { payoutsUrl, statementUrl } from './route.ts';

type MonthClosingProps = { orgId: string; bank: BankMonth; canReconcile: boolean };

/** The steps required to close a month or, once it is closed, who closed it. */
export function MonthClosing({ orgId, bank, canReconcile }: MonthClosingProps) {
  const [dialog, setDialog] = useState<'close' | 'reopen'>();
  const { month, closing, canReopen } = bank;
  const closeDialog = () => setDialog(undefined);
  return (
    <Card aria-labelledby="closing">
      <Stack gap={4}>
        <h2 id="closing" className={styles.closingTitle}>
          {closing ? `${formatMonth(month)} is closed` : `Close ${formatMonth(month)}`}
        </h2>
        {closing ? <ClosedBy month={month} closing={closing} /> : <Steps orgId={orgId} bank={bank} />}
        <Cluster>
          {canReconcile && !closing && (
            <Button disabled={!isReadyToClose(bank)} onClick={() => setDialog('close')}>
              Close {formatMonth(month)}
            </Button>
          )}
          <ButtonLink kind="outline" to={statementUrl(orgId, month)}>
            Statement for {formatMonth(month)}
          </ButtonLink>
          {canReconcile && canReopen && (
            <Button kind="quiet" onClick={() => setDialog('reopen')}>
              Reopen…
            </Button>
          )}
        </Cluster>
      </Stack>
      {dialog === 'close' && <CloseDialog orgId={orgId} bank={bank} onClose={closeDialog} />}
      {dialog === 'reopen' && <ReopenDialog orgId={orgId} month={month} onClose={closeDialog} />}
    </Card>
  );
}

type ClosedByProps = { month: string; closing: NonNullable<BankMonth['closing']> };

function ClosedBy({ month, closing }: ClosedByProps) {
  return (
    <p>
      {formatStamp(closing)}
      {closing.month !== month && `, together with ${formatMonth(closing.month)}`}. Checks and grants that you record
      now count toward a later month.
    </p>
  );
}

type StepsProps = { orgId: string; bank: BankMonth };

function Steps({ orgId, bank }: StepsProps) {
  const { lines, checks, matchesProvider, openMonth, reopening } = bank;
  const unseenCount = listUnseenLines(lines).length;
  return (
    <>
      {reopening && (
        <p>
          Reopened: {formatStamp(reopening)}. Reason: {reopening.reason}
        </p>
      )}
      <ul className={styles.steps}>
        {openMonth !== null && (
          <Step isDone={false}>
            <Link to={payoutsUrl(orgId, { month: openMonth })}>Close {formatMonth(openMonth)}</Link> first
          </Step>
        )}
        <Step isDone={checks.length === 0}>
          {checks.length === 0
            ? 'All checks are in a deposit'
            : `${pluralize(checks.length, 'check')} still to deposit`}
        </Step>
        <Step isDone={unseenCount === 0}>
          {unseenCount === 0
            ? 'All payouts and deposits are on the bank statement'
            : `${unseenCount} of ${lines.length} payouts and deposits not on the bank statement yet`}
        </Step>
        <Step isDone={matchesProvider}>
          {matchesProvider ? 'The books agree with the card processor' : describeComparison(bank)}
        </Step>
      </ul>
    </>
  );
}

/** The nightly comparison with the card processor, which can't succeed before the month is over. */
function describeComparison({ month, isOver }: Pick<BankMonth, 'month' | 'isOver'>): string {
  const lastDay = addDays(firstDayOfMonth(addMonths(month)), -1);
  return isOver
    ? 'The books must agree with the card processor (compared every night)'
    : `The books will be compared with the card processor every night after ${dayText(lastDay)}`;
}

function Step({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  return (
    <li>
      <StatusMark tone={isDone ? 'done' : 'waiting'}>{isDone ? 'Done' : 'To do'}</StatusMark>
      <span>{children}</span>
    </li>
  );
}

type CloseDialogProps = { orgId: string; bank: BankMonth; onClose: () => void };

function CloseDialog({ orgId, bank: { month }, onClose }: CloseDialogProps) {
  const api = useApi();
  const toast = useToast();
  const close = async () => {
    await api.call('closeMonth', { params: { orgid: orgId, month } });
    onClose();
    toast(`${formatMonth(month)} is closed`);
  };
  return (
    <ConfirmDialog title={`Close ${formatMonth(month)}`} confirmLabel="Close month" onConfirm={close} onClose={onClose}>
      <Stack gap={3}>
        <p>
          The amounts for {formatMonth(month)} and all earlier months will no longer change. Anything you record
          afterward counts toward a later month.
        </p>
        <p>The statement is emailed to everyone on your team who chose to get it.</p>
      </Stack>
    </ConfirmDialog>
  );
}

type ReopenDialogProps = { orgId: string; month: string; onClose: () => void };

function ReopenDialog({ orgId, month, onClose }: ReopenDialogProps) {
  const api = useApi();
  const toast = useToast();
  const form = useForm<{ reason: string }, 'reason'>({
    initial: { reason: '' },
    fields: ['reason'],
    validate: ({ reason }) => problemsByField({ reason: reasonFailure(reason) }),
  });
  const reopen = async () => {
    await api.call('reopenMonth', { params: { orgid: orgId, month }, body: { reason: form.values.reason.trim() } });
    onClose();
    toast(`${formatMonth(month)} is open again`);
  };
  return (
    <FormDialog
      title={`Reopen ${formatMonth(month)}`}
      confirmLabel="Reopen"
      form={form}
      onSubmit={reopen}
      onClose={onClose}
    >
      <p>
        You can then change its deposits and check marks, and record checks and grants in it. The emailed statement may
        no longer be accurate; a new one will be sent when you close the month again.
      </p>
      <ReasonField hint="Only team members can see it." form={form} />
    </FormDialog>
  );
}
