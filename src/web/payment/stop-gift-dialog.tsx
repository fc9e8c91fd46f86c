import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { formatGiftTerms } from '#domain/recurring-gift.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';

type StopGiftDialogProps = {
  gift: RecurringGift;
  orgName: string;
  onStop: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks a donor before a recurring gift ends, because an ended gift can't be resumed. */
export function StopGiftDialog({ gift, orgName: org, onStop, onClose }: StopGiftDialogProps) {
  const terms = formatGiftTerms(gift);
  return (
    <ConfirmDialog
      title={m.giftPageStopTitle()}
      confirmLabel={m.giftPageStopConfirm()}
      cancelLabel={m.giftPageStopKeep()}
      destructive
      onConfirm={onStop}
      onClose={onClose}
    >
      <p>{terms === undefined ? m.giftPageStopNoTerms({ org }) : m.giftPageStopText({ terms, org })}</p>
    </ConfirmDialog>
  );
}
