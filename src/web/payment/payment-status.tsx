import { type ComponentProps, type RefObject, useEffect, useRef } from 'react';
import { formatCents } from '#domain/money.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LazyPart, retryableImport } from '#web/ui/lazy-part.tsx';
import styles from './payment.module.css';
import { isFinal, type NoticeLink, type PaymentState, toPaymentNotice } from './payment-state.ts';
import { type CheckoutControls, useCheckout, useLiveCheckout } from './use-checkout.ts';

/** Loaded on demand, because few visitors need it. */
const challengeDialog = retryableImport(() => import('./challenge-dialog.tsx'));

type PaymentPanelProps = {
  orgId: string;
  className?: string | undefined;
};

/** The notice about the last payment, and the Checkout dialog (§2). Use it once per page. */
export function PaymentPanel({ orgId, className }: PaymentPanelProps) {
  const checkout = useCheckout(orgId);
  const { challenge } = checkout;
  useLiveCheckout(orgId, checkout);
  return (
    <>
      <LastPaymentNotice orgId={orgId} checkout={checkout} className={className} />
      <PaymentPageDialog checkout={checkout} />
      {challenge && (
        <div className={styles.challenge}>
          <LazyPart module={challengeDialog}>
            {({ ChallengeDialog }) => <ChallengeDialog challenge={challenge} onClose={checkout.closeChallenge} />}
          </LazyPart>
        </div>
      )}
    </>
  );
}

type LastPaymentNoticeProps = {
  orgId: string;
  checkout: Pick<CheckoutControls, 'payment' | 'reopen' | 'forget'>;
  className?: string | undefined;
};

/** The state of the payment. The element always exists, even if empty, so that screen readers announce changes. */
function LastPaymentNotice({ orgId, checkout: { payment, reopen, forget }, className }: LastPaymentNoticeProps) {
  const container = useRef<HTMLDivElement>(null);
  const notice = payment && toPaymentNotice(payment, orgId);
  useScrollToNotice(container, payment, notice?.text);
  const dismiss = () => {
    container.current?.focus();
    forget();
  };
  return (
    // Receives focus when the notice is dismissed along with its button.
    <div
      ref={container}
      tabIndex={-1}
      className={classNames(styles.container, notice && styles.notice, notice && className)}
    >
      {payment && <span className={classNames(styles.window, isPaid(payment) && styles.lit)} aria-hidden="true" />}
      <output className={styles.text}>{notice?.text}</output>
      {notice && (
        <div className={styles.links}>
          {notice.links.map((link) => (
            <NoticeAction
              key={link.to}
              link={link}
              onPayment={reopen}
              onFollow={isFinal(payment) ? forget : undefined}
            />
          ))}
          {notice.dismissLabel !== undefined && (
            <button type="button" className={styles.dismiss} onClick={dismiss}>
              {notice.dismissLabel}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

type NoticeActionProps = { link: NoticeLink; onPayment: () => boolean; onFollow: (() => void) | undefined };

function NoticeAction({ link: { label, to, isPayment }, onPayment, onFollow }: NoticeActionProps) {
  if (isPayment) {
    return (
      <a
        href={to}
        target="_blank"
        rel="noopener"
        className={styles.link}
        // Only a window that this page opens can be watched.
        onClick={(event) => onPayment() && event.preventDefault()}
      >
        {label} <Icon name="external" size={16} />
      </a>
    );
  }
  return (
    // The cart may be on the current page.
    <Link to={to} className={styles.link} aria-current={false} onClick={onFollow}>
      {label}
    </Link>
  );
}

function isPaid({ kind }: PaymentState): boolean {
  return kind === 'paid' || kind === 'published' || kind === 'thanked';
}

/** Scrolls to the notice when it changes, but not when the page opens with it. */
function useScrollToNotice(
  container: RefObject<HTMLElement | null>,
  payment: PaymentState | undefined,
  text: string | undefined,
): void {
  const previousText = useRef<string>(undefined);
  const isPaying = payment?.kind === 'paying';
  useEffect(() => {
    const isChange = previousText.current !== undefined && (previousText.current !== '' || isPaying);
    previousText.current = text ?? '';
    if (text !== undefined && isChange) container.current?.scrollIntoView({ block: 'nearest' });
  }, [container, text, isPaying]);
}

type PaymentPageDialogProps = { checkout: Pick<CheckoutControls, 'dialog' | 'payment' | 'reopen' | 'closeDialog'> };

/** Links to the payment page if its window was blocked or seems to be closed (§2, §4). */
function PaymentPageDialog({ checkout: { dialog, payment, reopen, closeDialog } }: PaymentPageDialogProps) {
  const paymentUrl = payment?.url ?? undefined;
  if (!payment || paymentUrl === undefined || dialog === undefined) return null;
  return (
    <Dialog
      title={m.checkoutTitle()}
      onClose={closeDialog}
      footer={<ProceedLink href={paymentUrl} onClick={(event) => reopen() && event.preventDefault()} />}
    >
      <p className={styles.dialogText}>
        {dialog === 'closed'
          ? m.checkoutDialogClosed({ amount: formatCents(payment.cents) })
          : m.checkoutDialogBlocked()}
      </p>
    </Dialog>
  );
}

/** Receives focus when the dialog opens, instead of the dialog's close button. */
function ProceedLink(props: Pick<ComponentProps<'a'>, 'onClick'> & { href: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <ButtonLink {...props} ref={link} kind="action" target="_blank" rel="noopener">
      {m.proceedToCheckout()} <Icon name="external" size={18} />
    </ButtonLink>
  );
}
