import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { CellText } from '#web/ui/markdown.tsx';
import { DocumentTitle } from '#web/ui/page-title.tsx';
import { CheckoutFrame } from './checkout-frame.tsx';
import { wordsOf } from './checkout-stage.ts';
import { DraftStory } from './draft-story.tsx';
import { GiftSummary } from './gift-summary.tsx';
import { LogInHint } from './log-in-hint.tsx';
import { OverPanel } from './over-panel.tsx';
import { ProfileForm } from './profile-form.tsx';
import type { CheckoutData } from './route.ts';
import { StageNotice } from './stage-notice.tsx';
import { UploadFailedDialog } from './upload-failed-dialog.tsx';
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
