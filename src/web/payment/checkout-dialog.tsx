import { ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { unpaidWords } from './checkout-notice.ts';
import styles from './payment.module.css';
import type { Checkout } from './use-checkout.ts';

type CheckoutDialogProps = { checkout: Pick<Checkout, 'dialog' | 'standing' | 'goOn' | 'closeDialog'> };

/** The way to the payment page for a browser that opened no window for it, or whose window seems closed (§2, §4). */
export function CheckoutDialog({ checkout: { dialog, standing, goOn, closeDialog } }: CheckoutDialogProps) {
  const paymentUrl = standing?.url ?? undefined;
  return (
    <Dialog
      title="Checkout"
      open={dialog !== undefined && paymentUrl !== undefined}
      onClose={closeDialog}
      footer={
        <ButtonLink
          kind="action"
          href={paymentUrl ?? ''}
          target="_blank"
          rel="noopener"
          onClick={(event) => goOn() && event.preventDefault()}
        >
          Proceed to checkout <Icon name="external" size={18} />
        </ButtonLink>
      }
    >
      <p className={styles.words}>
        {dialog === 'closed' ? (
          <>{unpaidWords(standing?.cents ?? 0)} If you closed the payment window, please proceed to checkout</>
        ) : (
          'Your browser did not open the payment page. Please proceed to checkout'
        )}{' '}
        on our payment provider&rsquo;s secure page, which opens in a new window.
      </p>
    </Dialog>
  );
}
