import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CheckRecord } from '#contract/schemas/checkout-records.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Detail, DetailList, StatusMark } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import { ReceiveDialog } from '../checks/check-dialogs.tsx';
import { ReverseDialog } from '../checks/reverse-dialog.tsx';
import { useCheckActions } from '../checks/use-check-actions.ts';
import styles from '../gift-record.module.css';
import { PLEDGE_LABELS } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import { checkRecordQuery } from './checkout-queries.ts';
import { DonorDetail } from './donor-detail.tsx';
import { GiftHistory } from './gift-history.tsx';
import { NotesSection } from './notes-section.tsx';

type CheckRecordDialogProps = {
  orgId: string;
  pledgeId: string;
  /** The check's row, if the list contains it. */
  row: Pledge | undefined;
  onClose: () => void;
};

/** A pledged or received check with its history. */
export function CheckRecordDialog({ orgId, pledgeId, row, onClose }: CheckRecordDialogProps) {
  const query = { ...checkRecordQuery(useApi(), orgId, pledgeId), staleTime: 0 };
  const { data: record, isError, refetch } = useQuery(query);
  const canManage = useCan(orgId)('checks.manage');
  const { cancel, receive, reverse } = useCheckActions(orgId);
  const [step, setStep] = useState<'receive' | 'reverse'>();
  const { run, busy, problem } = useAttempt();
  const pledge = record ?? row;
  const closeStep = () => setStep(undefined);
  const footer = (
    <>
      {/* Rendered once the record has loaded: loading changes the dialog's height, and a click would miss the button. */}
      {record && canManage && (
        <CheckButtons
          pledge={record}
          busy={busy}
          onStepChange={setStep}
          onCancel={(isWithdrawn) => void run(() => cancel(record, isWithdrawn).then(onClose))}
        />
      )}
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <>
      {/* The top dialogs come first: they close before the record, which keeps an unsaved note. */}
      {record && step === 'receive' && (
        <ReceiveDialog
          orgId={orgId}
          pledge={record}
          onReceive={async (check) => {
            await receive(record, check);
            closeStep();
            onClose();
          }}
          onClose={closeStep}
        />
      )}
      {record && step === 'reverse' && (
        <ReverseDialog
          pledge={record}
          onReverse={(reversal) => reverse(record, reversal).then(closeStep)}
          onClose={closeStep}
        />
      )}
      <Dialog
        title={pledge ? (pledge.name ?? 'Deleted account') : 'Check'}
        hasOwnAddress
        onClose={onClose}
        footer={footer}
      >
        {record ? (
          <CheckDetails orgId={orgId} record={record} />
        ) : (
          <SectionStatus hasFailed={isError} onRetry={() => void refetch()} />
        )}
        <Problem>{problem}</Problem>
      </Dialog>
    </>
  );
}

type CheckButtonsProps = {
  pledge: Pledge;
  busy: boolean;
  onStepChange: (step: 'receive' | 'reverse') => void;
  /** Cancels the pledge, or restores a canceled one. */
  onCancel: (isWithdrawn: boolean) => void;
};

function CheckButtons({ pledge: { status, entryid: entryId }, busy, onStepChange, onCancel }: CheckButtonsProps) {
  switch (status) {
    case 'received':
      return entryId === null ? null : (
        <Button kind="remove" className={styles.aside} onClick={() => onStepChange('reverse')}>
          Reverse
        </Button>
      );
    case 'bounced':
      return null;
    case 'withdrawn':
      return (
        <Button busy={busy} onClick={() => onCancel(false)}>
          Restore pledge
        </Button>
      );
    case 'pledged':
    case 'suspicious':
      return (
        <>
          <Button kind="quiet" className={styles.aside} busy={busy} onClick={() => onCancel(true)}>
            Cancel pledge
          </Button>
          {status === 'pledged' ? (
            <Button onClick={() => onStepChange('receive')}>Mark received</Button>
          ) : (
            <Button busy={busy} onClick={() => onCancel(false)}>
              Keep pledge
            </Button>
          )}
        </>
      );
  }
}

export function CheckDetails({ orgId, record }: { orgId: string; record: CheckRecord }) {
  const { status, amount, receivedAmount, receivedOn, checkNumber, email, note, reversal, createdTimestamp } = record;
  const { label, tone } = PLEDGE_LABELS[status];
  const { formatDate } = useDates();
  const isDifferentAmount = receivedAmount !== null && receivedAmount !== amount;
  return (
    <>
      <DetailList>
        <Detail name="Status">
          <StatusMark tone={tone}>{label}</StatusMark>
        </Detail>
        <Detail name="Donation">
          {formatDollars(receivedAmount ?? amount)}
          {isDifferentAmount && ` (${formatDollars(amount)} pledged)`}
        </Detail>
        {checkNumber !== null && <Detail name="Check number">{checkNumber}</Detail>}
        {receivedOn === null ? (
          <Detail name="Pledged">{formatDate(createdTimestamp)}</Detail>
        ) : (
          <Detail name="Received">{dayText(receivedOn)}</Detail>
        )}
        <DonorDetail orgId={orgId} donorId={record.donorid} name={record.name ?? 'Deleted account'} />
        {email !== null && <Detail name="Email">{email}</Detail>}
        {note !== null && (
          <Detail name="Note">
            <span className={styles.message}>{note}</span>
          </Detail>
        )}
        {reversal && (
          <Detail name="Reversed">
            {[dayText(reversal.on), reversal.reason, reversal.by].filter((text) => text !== null).join(' · ')}
          </Detail>
        )}
      </DetailList>
      <NotesSection orgId={orgId} giftId={record.id} notes={record.notes} />
      <h3 className={styles.subheading}>History</h3>
      <GiftHistory orgId={orgId} history={record.history} />
    </>
  );
}
