import { useApi } from '#web/session/app-context.ts';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { PaymentNotice } from './payment-notice.tsx';
import { useCheckout, useFollowedCheckout } from './use-checkout.ts';

type PaymentStandingProps = {
  orgId: string;
  /** Of the notice while there is one. */
  className?: string | undefined;
};

/** Where the last payment to an organisation stands: the notice of it, and the Checkout dialog (§2). Once on a page. */
export function PaymentStanding({ orgId, className }: PaymentStandingProps) {
  const checkout = useCheckout(useApi(), orgId);
  useFollowedCheckout(checkout);
  return (
    <>
      <PaymentNotice orgId={orgId} checkout={checkout} className={className} />
      <CheckoutDialog checkout={checkout} />
    </>
  );
}
