import { useState } from 'react';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { everyText } from '#domain/cart.ts';
import { chargeOf, formatCents } from '#domain/money.ts';
import { giftLabel, giftSentence } from '#domain/recurring-gift.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from '../treasury.module.css';

type GiftPartProps = { gift: RecurringGift; onStop: (() => Promise<RecurringGift>) | undefined };

/** The recurring gift of a checkout. Stopping it asks once more, in place: a dialog is open already. */
export function GiftPart({ gift: loaded, onStop }: GiftPartProps) {
  const [gift, setGift] = useState(loaded);
  const [asking, setAsking] = useState(false);
  const { busy, problem, run } = useAttempt();
  const { status, amount, unit, count } = gift;
  const terms =
    amount === null || unit === null || count === null
      ? ''
      : `${formatCents(chargeOf(amount))} ${everyText({ unit, count })}. `;
  const stop = async (end: () => Promise<RecurringGift>) => {
    const isDone = await run(async () => setGift(await end()));
    if (isDone) setAsking(false);
  };
  return (
    <>
      <h3 className={styles.subheading}>Recurring gift</h3>
      <Stack gap={3}>
        <output>
          {giftLabel(status)}. {terms}
          {giftSentence(gift)}
        </output>
        {onStop && status !== 'canceled' && (
          <Cluster>
            {asking ? (
              <>
                <span>End it now? Past gifts stay.</span>
                <Button kind="danger" busy={busy} onClick={() => void stop(onStop)}>
                  Stop it
                </Button>
                <Button kind="outline" disabled={busy} onClick={() => setAsking(false)}>
                  Keep it
                </Button>
              </>
            ) : (
              <Button kind="outline" onClick={() => setAsking(true)}>
                Stop the recurring gift
              </Button>
            )}
          </Cluster>
        )}
        <Problem>{problem}</Problem>
      </Stack>
    </>
  );
}
