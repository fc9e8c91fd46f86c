import type { ReactNode } from 'react';
import { ButtonLink } from '#web/ui/button.tsx';
import type { CheckoutStage } from './checkout-stage.ts';
import styles from './notice.module.css';

type StageNoticeProps = {
  stage: Exclude<CheckoutStage, 'asking' | 'over'>;
  /** The hosted page, while it can still be paid there. */
  paymentUrl: string | null;
  /** The address of the organisation's home page. */
  home: string;
  /** The address that brings the items back into the cart. */
  cart: string;
  contactEmail: string;
  /** The thanks cell, for a checkout that is over (§2). */
  thanks: ReactNode;
};

/** What can be done while a checkout is not, or not yet, or no more paid. */
export function StageNotice({ stage, paymentUrl, home, cart, contactEmail, thanks }: StageNoticeProps) {
  const homeLink = (
    <ButtonLink kind="outline" to={home}>
      Go to the home page
    </ButtonLink>
  );
  switch (stage) {
    case 'confirming':
      return <Confirming paymentUrl={paymentUrl} />;
    case 'processing':
      return (
        <Notice title="You can leave this page" actions={homeLink}>
          <p>
            As soon as the money has come we email you a receipt. It has a link that leads back here, where you can then
            tell your story.
          </p>
        </Notice>
      );
    case 'failed':
    case 'expired':
      return (
        <>
          <TryAgain cart={cart} homeLink={homeLink} />
          {thanks && <div className={styles.after}>{thanks}</div>}
        </>
      );
    case 'refunded':
    case 'disputed':
      return (
        <Notice title="Does this surprise you?" actions={homeLink}>
          <p>
            Write to us at <a href={`mailto:${contactEmail}`}>{contactEmail}</a>, and we will look into it.
          </p>
        </Notice>
      );
  }
}

function Confirming({ paymentUrl }: { paymentUrl: string | null }) {
  return (
    <Notice
      title="Have you paid already?"
      waiting
      actions={
        paymentUrl !== null && (
          <ButtonLink kind="outline" href={paymentUrl}>
            Go to the payment page
          </ButtonLink>
        )
      }
    >
      <p>
        Then stay here for a moment: as soon as the payment is confirmed, this page asks for your story.
        {paymentUrl !== null && ' If you left the payment page before you were through, you can go back to it.'}
      </p>
    </Notice>
  );
}

function TryAgain({ cart, homeLink }: { cart: string; homeLink: ReactNode }) {
  return (
    <Notice
      title="Would you like to try again?"
      actions={
        <>
          <ButtonLink kind="action" href={cart}>
            Put it back in the cart
          </ButtonLink>
          {homeLink}
        </>
      }
    >
      <p>What you chose is still listed here. Put it back in the cart to pay in another way, or to change it.</p>
    </Notice>
  );
}

type NoticeProps = { title: string; actions: ReactNode; waiting?: boolean; children: ReactNode };

function Notice({ title, actions, waiting = false, children }: NoticeProps) {
  return (
    <section className={styles.notice} aria-labelledby="checkout-notice">
      {waiting && <span className={styles.lamp} aria-hidden="true" />}
      <h2 id="checkout-notice" className={styles.title}>
        {title}
      </h2>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
