import { type ReactNode, useEffect, useRef } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { endpointPath, VISITOR_CALLS } from '#contract/visitor-calls.ts';
import { profileFailure } from '#domain/profile-failures.ts';
import { m } from '#messages';
import { buildStreet, type Street } from '#web/drawings/lit-street.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { StreetBand } from '#web/site/street-band.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle } from '#web/ui/page.tsx';
import styles from './checkout.module.css';
import { getStageText, isPaidStage } from './checkout-stage.ts';
import { GiftSummary } from './gift-summary.tsx';
import { ProfileForm } from './profile-form.tsx';
import type { CheckoutData } from './route.ts';
import { CompletePanel, StageNotice } from './stage-panel.tsx';
import { useCheckoutPage } from './use-checkout-page.ts';
import { useTributeText } from './use-tribute-text.ts';
import { buildGiftStreet, YourWindow } from './your-window.tsx';

type CheckoutPageProps = OrgPageProps & CheckoutData;

/** Return page of the payment provider: payment status, then the profile form, then thanks (§2, §4). */
export function CheckoutPage(props: CheckoutPageProps) {
  return <CheckoutById key={props.checkout.id} {...props} />;
}

function CheckoutById(props: CheckoutPageProps) {
  const { org, site } = props;
  const page = useCheckoutPage(props);
  const { checkout, stage, outcome, unreachable, showsAlert } = page;
  const isPaid = isPaidStage(stage);
  const tribute = useTributeText(org.id, checkout, isPaid);
  const { heading, lead } = getStageText(stage, checkout, outcome);
  return (
    <>
      <DocumentTitle parts={[heading, org.name]} />
      <CheckoutFrame
        heading={heading}
        lead={unreachable ? `${lead} ${m.checkoutUnreachable()}` : lead}
        street={isPaid ? buildGiftStreet(org, checkout.id) : DARK_STREET}
        caption={isPaid ? m.windowYours() : undefined}
        takesFocus={outcome !== undefined && !showsAlert}
        summary={
          <>
            <GiftSummary
              checkout={checkout}
              stage={stage}
              tribute={tribute}
              typicalGrant={org.typicalGrant}
              receiptURL={getReceiptUrl(props, checkout)}
            />
            {isPaid && <YourWindow org={org} checkoutId={checkout.id} publicUrl={site.publicUrl} />}
          </>
        }
      >
        <CheckoutContent {...props} page={page} />
        {props.receiptKey !== undefined && (
          <ButtonLink kind="outline" to={pagePath('gift-homes-page', { orgid: org.id, receiptkey: props.receiptKey })}>
            {m.giftHomesTitle()}
          </ButtonLink>
        )}
      </CheckoutFrame>
      {showsAlert && <UploadFailedDialog contactEmail={site.contactEmail} onClose={page.closeAlert} />}
    </>
  );
}

/** The link to the receipt contains its key; without the key, only the donor can open the receipt. */
function getReceiptUrl({ org, receiptKey }: CheckoutPageProps, { donor }: Checkout): string | undefined {
  if (receiptKey === undefined) return donor?.receiptURL ?? undefined;
  return `${endpointPath(VISITOR_CALLS.openReceipt, { orgid: org.id })}?key=${encodeURIComponent(receiptKey)}`;
}

type CheckoutContentProps = CheckoutPageProps & { page: ReturnType<typeof useCheckoutPage> };

function CheckoutContent({ org, site, cells, page }: CheckoutContentProps) {
  const { checkout, stage, outcome } = page;
  const home = pagePath('home-page', { orgid: org.id });
  if (stage === 'profile-form') {
    return (
      <>
        <CellText cell={cells.ask} />
        <ProfileForm {...page} home={home} />
      </>
    );
  }
  const thanks = <CellText cell={cells.thanks} />;
  if (stage === 'over') {
    return (
      <CompletePanel
        checkout={checkout}
        thanks={thanks}
        home={home}
        onTryAgain={outcome === 'lost' && !checkout.isOver ? page.tryAgain : undefined}
      />
    );
  }
  return (
    <StageNotice
      stage={stage}
      checkout={checkout}
      home={home}
      contactEmail={site.contactEmail}
      thanks={checkout.isOver && thanks}
    />
  );
}

type CheckoutFrameProps = {
  heading: string;
  lead: string;
  /** Dark until the gift is paid. */
  street: Street;
  /** Shown above the gift's candle. */
  caption: string | undefined;
  /** True to focus the heading, because the focused control was removed. */
  takesFocus: boolean;
  summary: ReactNode;
  children: ReactNode;
};

function CheckoutFrame({ heading, lead, street, caption, takesFocus, summary, children }: CheckoutFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.querySelector<HTMLElement>('h1')?.focus();
  }, [takesFocus]);
  return (
    <div ref={frame}>
      <StreetBand heading={heading} street={street} caption={caption} tall>
        <output>{lead}</output>
      </StreetBand>
      <div className={styles.content}>
        <div className={styles.main}>{children}</div>
        <aside className={styles.aside}>{summary}</aside>
      </div>
    </div>
  );
}

const DARK_STREET = buildStreet(0);

type UploadFailedDialogProps = { contactEmail: string; onClose: () => void };

/** Alerts the donor that an upload may have been lost (§8). */
function UploadFailedDialog({ contactEmail, onClose }: UploadFailedDialogProps) {
  const footer = (
    <Button kind="dark" onClick={onClose}>
      {m.ok()}
    </Button>
  );
  return (
    <Dialog alert title={m.checkoutYourProfile()} onClose={onClose} footer={footer}>
      <p>{profileFailure('profile-upload-failed', { email: contactEmail }).message}</p>
    </Dialog>
  );
}
