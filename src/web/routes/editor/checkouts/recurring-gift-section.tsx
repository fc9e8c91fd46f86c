import { useState } from 'react';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { formatGiftTerms, recurringGiftLabel } from '#domain/recurring-gift.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { describeRecurringStatus } from '../donors/donor-labels.ts';
import styles from '../gift-record.module.css';

type RecurringGiftSectionProps = { orgId: string; checkoutId: string; gift: RecurringGift };

/** A checkout's recurring gift, with a button that stops it after confirmation. */
export function RecurringGiftSection({ orgId, checkoutId, gift }: RecurringGiftSectionProps) {
  const api = useApi();
  const toast = useToast();
  const canStop = useCan(orgId)('recurring-gifts.stop');
  const [isStopping, setIsStopping] = useState(false);
  const { status } = gift;
  const terms = formatGiftTerms(gift);
  const stop = async () => {
    await api.call('stopRecurringGiftOfCheckout', { params: { orgid: orgId, checkoutid: checkoutId } });
    setIsStopping(false);
    toast('Recurring gift stopped');
  };
  return (
    <>
      <h3 className={styles.subheading}>Recurring gift</h3>
      <Stack gap={3}>
        <output>
          {recurringGiftLabel(status)}. {terms !== undefined && `${terms}. `}
          {describeRecurringStatus(gift)}
        </output>
        {canStop && status !== 'canceled' && (
          <div>
            <Button kind="outline" onClick={() => setIsStopping(true)}>
              Stop the recurring gift
            </Button>
          </div>
        )}
      </Stack>
      {isStopping && (
        <ConfirmDialog
          title="Stop the recurring gift"
          confirmLabel="Stop it"
          destructive
          onConfirm={stop}
          onClose={() => setIsStopping(false)}
        >
          Stop it now? Past gifts won’t change.
        </ConfirmDialog>
      )}
    </>
  );
}
