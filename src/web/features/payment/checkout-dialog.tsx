import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './payment.module.css';
import type { Checkout } from './use-checkout.ts';

/** The way to the payment page for a browser that opened no window for it (§2, §4). */
export function CheckoutDialog({ checkout: { blocked, paymentUrl, dismiss } }: { checkout: Checkout }) {
  return (
    <Dialog
      title="Checkout"
      open={blocked && paymentUrl !== undefined}
      onClose={dismiss}
      footer={
        <ButtonLink kind="action" href={paymentUrl ?? ''} target="_blank" rel="noopener" onClick={dismiss}>
          Proceed to checkout <Icon name="external" size={18} />
        </ButtonLink>
      }
    >
      <p className={styles.words}>
        Your browser did not open the payment page. Please proceed to checkout on our payment provider&rsquo;s secure
        page, which opens in a new window.
      </p>
    </Dialog>
  );
}
