import type { Pledge } from '#contract/schemas/pledges.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster, ItemRow } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { SendAgainButton, type SendReceipt } from '../checkouts/send-receipt.tsx';
import styles from '../treasury.module.css';
import { PLEDGE_LABELS } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';

type CheckRowProps = {
  pledge: Pledge;
  /** False for read-only users. */
  canManage: boolean;
  onReceive: () => void;
  onReverse: () => void;
  /** Cancels the pledge, or restores a canceled one. */
  onCancel: (pledge: Pledge, canceled: boolean) => Promise<void>;
  sendReceipt: SendReceipt | undefined;
};

export function CheckRow({ pledge, ...actions }: CheckRowProps) {
  const { name, amount, status, receivedAmount, note } = pledge;
  const { label, tone } = PLEDGE_LABELS[status];
  return (
    <ItemRow
      title={
        <>
          {name ?? 'Deleted account'} <StatusMark tone={tone}>{label}</StatusMark>
        </>
      }
      facts={<Facts pledge={pledge} />}
      actions={
        <div className={styles.checkEnd}>
          <span className={styles.sum}>{formatDollars(receivedAmount ?? amount)}</span>
          <CheckButtons pledge={pledge} {...actions} />
        </div>
      }
    >
      {note && <p className={styles.note}>{note}</p>}
    </ItemRow>
  );
}

function Facts({ pledge }: { pledge: Pledge }) {
  const { dateText } = useDates();
  return (
    <ul className={styles.facts}>
      {factsOf(pledge, dateText).map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

function factsOf(pledge: Pledge, dateText: (time: string) => string): string[] {
  const { email, amount, receivedAmount, receivedOn, checkNumber, receiptNumber, reversal, createdTimestamp } = pledge;
  const isOtherAmount = receivedAmount !== null && receivedAmount !== amount;
  return [
    ...(email === null ? [] : [email]),
    receivedOn === null ? `Pledged ${dateText(createdTimestamp)}` : `Received ${dayText(receivedOn)}`,
    ...(isOtherAmount ? [`Pledged ${formatDollars(amount)}`] : []),
    ...(checkNumber === null ? [] : [`Check no. ${checkNumber}`]),
    ...(receiptNumber === null ? [] : [`Receipt no. ${receiptNumber}`]),
    ...(reversal === null
      ? []
      : [`Reversed ${dayText(reversal.on)}`, ...[reversal.reason, reversal.by].filter(isText)]),
  ];
}

const isText = (text: string | null): text is string => text !== null;

function CheckButtons({ pledge, canManage, onReceive, onReverse, onCancel, sendReceipt }: CheckRowProps) {
  const { run, busy, problem } = useAttempt();
  const { status, email, entryid: entryId, receiptNumber } = pledge;
  const ofCheck = <VisuallyHidden>: check from {pledge.name ?? 'a deleted account'}</VisuallyHidden>;
  if (status === 'received') {
    return (
      <Cluster gap={2}>
        {sendReceipt && email !== null && entryId !== null && receiptNumber !== null && (
          <SendAgainButton number={receiptNumber} onSend={() => sendReceipt(entryId)} />
        )}
        {canManage && entryId !== null && (
          <Button kind="quiet" onClick={onReverse}>
            Reverse{ofCheck}
          </Button>
        )}
      </Cluster>
    );
  }
  if (!canManage || status === 'bounced') return null;
  const isPledged = status === 'pledged';
  const isOpen = isPledged || status === 'suspicious';
  return (
    <Cluster gap={2}>
      {isPledged && <Button onClick={onReceive}>Mark received{ofCheck}</Button>}
      {status === 'suspicious' && (
        <Button kind="outline" busy={busy} onClick={() => void run(() => onCancel(pledge, false))}>
          Keep pledge{ofCheck}
        </Button>
      )}
      <Button kind={isOpen ? 'quiet' : 'outline'} busy={busy} onClick={() => void run(() => onCancel(pledge, isOpen))}>
        {isOpen ? 'Cancel pledge' : 'Restore pledge'}
        {ofCheck}
      </Button>
      <Problem inline>{problem}</Problem>
    </Cluster>
  );
}
