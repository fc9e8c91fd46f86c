import { useState } from 'react';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { formatInterval } from '#domain/cart.ts';
import { formatCents, toChargedCents } from '#domain/money.ts';
import { recurringGiftLabel } from '#domain/recurring-gift.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { describeGiftStatus } from '../donors/donor-labels.ts';
import styles from '../gift-record.module.css';

type RecurringGiftSectionProps = { orgId: string; checkoutId: string; gift: RecurringGift };

/** A checkout's recurring gift. Asks for confirmation inline, since a dialog is already open. */
export function RecurringGiftSection({ orgId, checkoutId, gift }: RecurringGiftSectionProps) {
  const api = useApi();
  const toast = useToast();
  const canStop = useCan(orgId)('gifts.stop');
  const [isConfirming, setIsConfirming] = useState(false);
  const { status, amount, unit, count } = gift;
  const terms =
    amount === null || unit === null || count === null
      ? ''
      : `${formatCents(toChargedCents(amount))} ${formatInterval({ unit, count })}. `;
  const { run, busy, problem } = useAttempt();
  const stop = async () => {
    await api.call('stopCheckoutGift', { params: { orgid: orgId, checkoutid: checkoutId } });
    setIsConfirming(false);
    toast('Recurring gift stopped');
  };
  return (
    <>
      <h3 className={styles.subheading}>Recurring gift</h3>
      <Stack gap={3}>
        <output>
          {recurringGiftLabel(status)}. {terms}
          {describeGiftStatus(gift)}
        </output>
        {canStop && status !== 'canceled' && (
          <Cluster>
            {isConfirming ? (
              <>
                <span>Stop it now? Past gifts won’t change.</span>
                <Button kind="danger" busy={busy} onClick={() => void run(stop)}>
                  Stop it
                </Button>
                <Button kind="outline" disabled={busy} onClick={() => setIsConfirming(false)}>
                  Keep it
                </Button>
              </>
            ) : (
              <Button kind="outline" onClick={() => setIsConfirming(true)}>
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
