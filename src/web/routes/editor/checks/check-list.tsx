import type { Pledge } from '#contract/schemas/pledges.ts';
import { formatDollars } from '#domain/money.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { SendAgain } from '../checkouts/checkout-history.tsx';
import styles from '../treasury.module.css';
import { checkStatusOf } from '../treasury-words.ts';

type CheckActions = {
  onReceive: (pledge: Pledge) => void;
  /** Says that a check will not come, or takes that back. */
  onWithdraw: (pledge: Pledge, withdrawn: boolean) => Promise<void>;
  sendReceipt: (entryid: string) => Promise<void>;
};

/** The checks that were promised, and what became of them. */
export function CheckList({ checks, ...actions }: CheckActions & { checks: readonly Pledge[] }) {
  return (
    <ul className={styles.checks}>
      {checks.map((pledge) => (
        <CheckRow key={pledge.id} pledge={pledge} {...actions} />
      ))}
    </ul>
  );
}

function CheckRow({ pledge, ...actions }: CheckActions & { pledge: Pledge }) {
  const { name, amount, status, receivedAmount, note } = pledge;
  const { word, tone } = checkStatusOf(status);
  return (
    <li className={styles.check}>
      <div className={styles.checkWords}>
        <p className={styles.what}>
          {name ?? 'Somebody whose account is deleted'} <StatusMark tone={tone}>{word}</StatusMark>
        </p>
        <ul className={styles.checkFacts}>
          {factsOf(pledge).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      <p className={styles.sum}>{formatDollars(receivedAmount ?? amount)}</p>
      <CheckButtons pledge={pledge} {...actions} />
    </li>
  );
}

function factsOf(pledge: Pledge): string[] {
  const { email, amount, receivedAmount, receivedOn, checkNumber, receiptNumber, createdTimestamp } = pledge;
  const came = receivedOn === null ? `Since ${dayText(createdTimestamp)}` : `Received on ${dayText(receivedOn)}`;
  const isOther = receivedAmount !== null && receivedAmount !== amount;
  return [
    ...(email === null ? [] : [email]),
    came,
    ...(isOther ? [`Promised ${formatDollars(amount)}`] : []),
    ...(checkNumber === null ? [] : [`Check no. ${checkNumber}`]),
    ...(receiptNumber === null ? [] : [`Receipt no. ${receiptNumber}`]),
  ];
}

function CheckButtons({ pledge, onReceive, onWithdraw, sendReceipt }: CheckActions & { pledge: Pledge }) {
  const { busy, problem, run } = useAttempt();
  const { status, email, entryid, receiptNumber } = pledge;
  const of = <VisuallyHidden>: the check of {pledge.name ?? 'somebody'}</VisuallyHidden>;
  if (status === 'received') {
    if (email === null || entryid === null || receiptNumber === null) return null;
    return <SendAgain number={receiptNumber} onSend={() => sendReceipt(entryid)} />;
  }
  return (
    <p className={styles.checkButtons}>
      {status === 'pledged' && <Button onClick={() => onReceive(pledge)}>Receive{of}</Button>}
      <Button
        kind={status === 'pledged' ? 'quiet' : 'outline'}
        busy={busy}
        onClick={() => void run(() => onWithdraw(pledge, status === 'pledged'))}
      >
        {status === 'pledged' ? 'Withdraw' : 'Take back'}
        {of}
      </Button>
      <Problem inline>{problem}</Problem>
    </p>
  );
}
