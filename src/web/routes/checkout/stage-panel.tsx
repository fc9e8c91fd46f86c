import type { ReactNode } from 'react';
import { localizeAddress } from '#contract/languages.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { LANGUAGE, m } from '#messages';
import { ActionButton } from '#web/forms/action-button.tsx';
import { Link } from '#web/navigation/link.tsx';
import { StoryParagraphs } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { StoryPhoto } from '#web/stories/story-photo.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import styles from './checkout.module.css';
import { type CheckoutStage, willRetryDebit } from './checkout-stage.ts';

type StageNoticeProps = {
  stage: Exclude<CheckoutStage, 'profile-form' | 'over'>;
  checkout: Checkout;
  home: string;
  contactEmail: string;
  /** The thanks cell, if the checkout is over (§2). */
  thanks: ReactNode;
};

/** The donor's next steps for a checkout that is unpaid, processing, failed, or refunded. */
export function StageNotice({ stage, checkout, home, contactEmail, thanks }: StageNoticeProps) {
  const homeLink = (
    <ButtonLink kind="outline" to={home}>
      {m.goHome()}
    </ButtonLink>
  );
  const contactNotice = (
    <Notice title={m.checkoutSurprise()} actions={homeLink}>
      <p>
        <RichText
          text={m.checkoutWriteToUs({ email: contactEmail })}
          tags={{ mail: (words) => <a href={`mailto:${contactEmail}`}>{words}</a> }}
        />
      </p>
    </Notice>
  );
  if (willRetryDebit(stage, checkout)) return contactNotice;
  switch (stage) {
    case 'confirming':
      return <ConfirmingNotice paymentUrl={checkout.paymentURL} />;
    case 'processing':
      return (
        <Notice title={m.checkoutLeave()} actions={homeLink}>
          <p>{m.checkoutClears()}</p>
        </Notice>
      );
    case 'failed':
    case 'expired':
      return (
        <>
          <Notice
            title={m.checkoutAgain()}
            actions={
              <>
                <ButtonLink kind="action" href={localizeAddress(`${home}?cancelled=${checkout.id}`, LANGUAGE)}>
                  {m.backToCart()}
                </ButtonLink>
                {homeLink}
              </>
            }
          >
            <p>{m.checkoutKept()}</p>
          </Notice>
          {thanks && <div className={styles.after}>{thanks}</div>}
        </>
      );
    case 'refunded':
    case 'disputed':
      return contactNotice;
  }
}

function ConfirmingNotice({ paymentUrl }: { paymentUrl: string | null }) {
  return (
    <Notice
      title={m.checkoutPaidAlready()}
      showsLamp
      actions={
        paymentUrl !== null && (
          <ButtonLink kind="outline" href={paymentUrl}>
            {m.goToPayment()}
          </ButtonLink>
        )
      }
    >
      <p>
        {m.checkoutStay()} {paymentUrl !== null && m.checkoutGoBack()}
      </p>
    </Notice>
  );
}

type CompletePanelProps = {
  checkout: Checkout;
  thanks: ReactNode;
  home: string;
  /** Tries to open the form again after a lost upload. */
  onTryAgain: (() => Promise<void>) | undefined;
};

/** Thanks the donor when nothing is left to do (§2). */
export function CompletePanel({ checkout, thanks, home, onTryAgain }: CompletePanelProps) {
  const { offsetterURL, draft } = checkout;
  return (
    <>
      <div className={styles.thanks}>{thanks}</div>
      {onTryAgain && <LostProfile onTryAgain={onTryAgain} />}
      <Cluster className={styles.actions}>
        {offsetterURL !== null && (
          <ButtonLink kind="action" to={offsetterURL}>
            {m.seeYourStory()}
          </ButtonLink>
        )}
        <Link to={home} className={styles.link}>
          {m.goHome()}
        </Link>
      </Cluster>
      {draft && <DraftStory profile={draft} />}
    </>
  );
}

function LostProfile({ onTryAgain }: { onTryAgain: () => Promise<void> }) {
  return (
    <Notice
      title={m.checkoutLostTitle()}
      actions={
        <ActionButton kind="action" action={onTryAgain}>
          {m.tryAgain()}
        </ActionButton>
      }
    >
      <p>{m.checkoutLost()}</p>
    </Notice>
  );
}

/** Preview of a story in review (decisions §5). */
function DraftStory({ profile }: { profile: Profile }) {
  return (
    <section className={styles.draft} aria-labelledby="draft">
      <h2 id="draft">{m.checkoutDraftTitle()}</h2>
      <p>{m.checkoutDraft()}</p>
      <Card className={styles.story}>
        <StoryPhoto
          profile={profile}
          scene={SCENES.offsetters}
          className={styles.photo}
          sizes="(max-width: 960px) 92vw, 640px"
        />
        <div className={styles.storyText}>
          <h3>{profile.name}</h3>
          <StoryParagraphs story={profile.story} />
        </div>
      </Card>
    </section>
  );
}

type NoticeProps = { title: string; actions: ReactNode; showsLamp?: boolean; children: ReactNode };

function Notice({ title, actions, showsLamp = false, children }: NoticeProps) {
  return (
    <Card className={styles.notice} aria-labelledby="checkout-notice">
      {showsLamp && <span className={styles.lamp} aria-hidden="true" />}
      <h2 id="checkout-notice" className={styles.noticeTitle}>
        {title}
      </h2>
      {children}
      {actions && <Cluster className={styles.actions}>{actions}</Cluster>}
    </Card>
  );
}
