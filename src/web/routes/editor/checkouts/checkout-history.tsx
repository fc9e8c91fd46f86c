import type { PastEvent } from '#contract/schemas/checkout-records.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { numbered } from '../numbered.ts';
import styles from '../treasury.module.css';
import { pastWords } from '../treasury-words.ts';

type CheckoutHistoryProps = {
  history: readonly PastEvent[];
  sendReceipt: (entryid: string) => Promise<void>;
};

/** What became of a checkout: every entry of the ledger, every mail, and every report of the payment provider. */
export function CheckoutHistory({ history, sendReceipt }: CheckoutHistoryProps) {
  return (
    <ol className={styles.history}>
      {numbered(history).map(({ number, each: past }) => {
        const { what, detail } = pastWords(past);
        return (
          <li key={number}>
            <time dateTime={past.at} className={styles.when}>
              {momentText(past.at)}
            </time>
            <span className={styles.past}>
              {what}
              {detail !== '' && <small>{detail}</small>}
            </span>
            {past.kind === 'receipt' && past.email !== null && (
              <SendAgain number={past.number} onSend={() => sendReceipt(past.entryid)} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Mails a receipt once more, with the same number. */
export function SendAgain({ number, onSend }: { number: number; onSend: () => Promise<void> }) {
  const { busy, problem, run } = useAttempt();
  return (
    <span className={styles.again}>
      <Button kind="quiet" busy={busy} onClick={() => void run(onSend)}>
        Send again<VisuallyHidden> receipt no. {number}</VisuallyHidden>
      </Button>
      <Problem inline>{problem}</Problem>
    </span>
  );
}

/** "Mar 14, 2026, 9:30 AM", by the clock of UTC, as a receipt has it. */
function momentText(time: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(time),
  );
}
