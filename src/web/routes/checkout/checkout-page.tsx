import { type ReactNode, useEffect, useRef } from 'react';
import { pagePath } from '#contract/pages.ts';
import { sentenceOf } from '#domain/failures.ts';
import { LitStreet, litStreet } from '#web/drawings/lit-street.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import styles from './checkout.module.css';
import { type CheckoutStage, isGiven, type StageWords, wordsOf } from './checkout-stage.ts';
import { GiftSummary } from './gift-summary.tsx';
import { LogInHint, ProfileForm } from './profile-form.tsx';
import type { CheckoutData } from './route.ts';
import { DraftStory, OverPanel, StageNotice } from './stage-panel.tsx';
import { useCheckoutPage } from './use-checkout-page.ts';

type CheckoutPageProps = OrgFrame & CheckoutData;

/** What a payer comes back to: where the payment stands, then the profile, then thanks (§2, §4, decisions §3). */
export function CheckoutPage(props: CheckoutPageProps) {
  return <CheckoutById key={props.checkout.id} {...props} />;
}

function CheckoutById(props: CheckoutPageProps) {
  const { org, site } = props;
  const page = useCheckoutPage(props);
  const { checkout, stage, news, unanswered, alerting } = page;
  const words = wordsOf(stage, checkout, news);
  return (
    <>
      <DocumentTitle parts={[words.heading, org.name]} />
      <CheckoutFrame
        stage={stage}
        words={words}
        unanswered={unanswered}
        takesFocus={news !== undefined && !alerting}
        summary={<GiftSummary checkout={checkout} stage={stage} />}
      >
        <CheckoutContent {...props} page={page} />
      </CheckoutFrame>
      <UploadFailedDialog open={alerting} contactEmail={site.contactEmail} onClose={page.closeAlert} />
    </>
  );
}

type CheckoutContentProps = CheckoutPageProps & { page: ReturnType<typeof useCheckoutPage> };

function CheckoutContent({ org, site, cells, page }: CheckoutContentProps) {
  const { checkout, stage, news, profile, submission } = page;
  const home = pagePath('home-page', { orgid: org.id });
  if (stage === 'asking') {
    return (
      <>
        <CellText html={cells.ask.html} />
        <ProfileForm
          profile={profile}
          submission={submission}
          signedIn={page.ownEmail !== undefined}
          logIn={<LogInHint />}
        />
      </>
    );
  }
  const thanks = <CellText html={cells.thanks.html} />;
  if (stage === 'over') {
    return (
      <OverPanel
        thanks={thanks}
        offsetterUrl={checkout.offsetterURL}
        home={home}
        onTryAgain={news === 'lost' && !checkout.over ? page.tryAgain : undefined}
        draft={checkout.draft && <DraftStory profile={checkout.draft} />}
      />
    );
  }
  return (
    <StageNotice
      stage={stage}
      paymentUrl={checkout.paymentURL}
      home={home}
      cart={`${home}?cancelled=${checkout.id}`}
      contactEmail={site.contactEmail}
      thanks={checkout.over && thanks}
    />
  );
}

type CheckoutFrameProps = {
  stage: CheckoutStage;
  words: StageWords;
  /** Said beside the words when the last question had no answer. */
  unanswered: boolean;
  /** Set when what the reader was at has gone from the page, so that the focus needs a new place. */
  takesFocus: boolean;
  /** What the checkout is made of. */
  summary: ReactNode;
  children: ReactNode;
};

/** How the page of a checkout is laid out, whatever its stage: where it stands, what was given, what is to do. */
function CheckoutFrame({ stage, words, unanswered, takesFocus, summary, children }: CheckoutFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.querySelector<HTMLElement>('h1')?.focus();
  }, [takesFocus]);
  return (
    <div ref={frame}>
      <header className={styles.band} data-dark>
        <div className={styles.words}>
          <PageTitle className={styles.heading}>{words.heading}</PageTitle>
          <output className={styles.lead}>
            {words.lead}
            {unanswered && ' We could not ask just now, and try again by ourselves.'}
          </output>
        </div>
        <div className={styles.street}>
          <LitStreet street={isGiven(stage) ? LIT : DARK} />
        </div>
      </header>
      <div className={styles.content}>
        <aside className={styles.summary}>{summary}</aside>
        <div className={styles.rest}>{children}</div>
      </div>
    </div>
  );
}

/** The windows are dark until the gift has come. */
const DARK = litStreet(0);
const LIT = litStreet(64);

type UploadFailedDialogProps = { open: boolean; contactEmail: string; onClose: () => void };

/** The alert of §8, after an upload of which nobody knows whether it arrived. */
function UploadFailedDialog({ open, contactEmail, onClose }: UploadFailedDialogProps) {
  const footer = (
    <Button kind="dark" onClick={onClose}>
      OK
    </Button>
  );
  return (
    <Dialog alert title="Your profile" open={open} onClose={onClose} footer={footer}>
      <p>{sentenceOf('profile-upload-failed', { email: contactEmail })}</p>
    </Dialog>
  );
}
