import type { ReactNode } from 'react';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Link } from '#web/navigation/link.tsx';
import { storyParagraphs } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { StoryPhoto } from '#web/stories/story-photo.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Rich } from '#web/ui/rich.tsx';
import styles from './checkout.module.css';
import { type CheckoutStage, isDebitTriedAgain } from './checkout-stage.ts';

type StageNoticeProps = {
  stage: Exclude<CheckoutStage, 'asking' | 'over'>;
  checkout: Checkout;
  home: string;
  contactEmail: string;
  /** The thanks cell, if the checkout is over (§2). */
  thanks: ReactNode;
};

/** What a donor can do about a checkout that is not paid, not paid yet, or not paid any more. */
export function StageNotice({ stage, checkout, home, contactEmail, thanks }: StageNoticeProps) {
  const homeLink = (
    <ButtonLink kind="outline" to={home}>
      Go to the home page
    </ButtonLink>
  );
  const surprise = (
    <Notice title="Does this surprise you?" actions={homeLink}>
      <p>
        <Rich
          text={m.checkoutWriteToUs({ email: contactEmail })}
          tags={{ mail: (words) => <a href={`mailto:${contactEmail}`}>{words}</a> }}
        />
      </p>
    </Notice>
  );
  if (isDebitTriedAgain(stage, checkout)) return surprise;
  switch (stage) {
    case 'confirming':
      return <Confirming paymentUrl={checkout.paymentURL} />;
    case 'processing':
      return (
        <Notice title="You can leave this page" actions={homeLink}>
          <p>We’ll email a receipt as soon as it clears, with a link back here so you can tell your story.</p>
        </Notice>
      );
    case 'failed':
    case 'expired':
      return (
        <>
          <Notice
            title="Would you like to try again?"
            actions={
              <>
                <ButtonLink kind="action" href={`${home}?cancelled=${checkout.id}`}>
                  Back to cart
                </ButtonLink>
                {homeLink}
              </>
            }
          >
            <p>We’ve kept what you chose. Go back to your cart to pay another way, or to change it.</p>
          </Notice>
          {thanks && <div className={styles.after}>{thanks}</div>}
        </>
      );
    case 'refunded':
    case 'disputed':
      return surprise;
  }
}

function Confirming({ paymentUrl }: { paymentUrl: string | null }) {
  return (
    <Notice
      title="Have you paid already?"
      lamp
      actions={
        paymentUrl !== null && (
          <ButtonLink kind="outline" href={paymentUrl}>
            Go to the payment page
          </ButtonLink>
        )
      }
    >
      <p>
        Then stay here for a moment. As soon as your payment is confirmed, you can tell your story here.
        {paymentUrl !== null && ' If you left the payment page before you finished, you can go back to it.'}
      </p>
    </Notice>
  );
}

type OverPanelProps = {
  checkout: Checkout;
  thanks: ReactNode;
  home: string;
  /** After a lost upload: tries to open the form again. */
  onTryAgain: (() => Promise<void>) | undefined;
};

/** Thanks, when nothing is left to do (§2). */
export function OverPanel({ checkout, thanks, home, onTryAgain }: OverPanelProps) {
  const { offsetterURL, draft } = checkout;
  return (
    <>
      <div className={styles.thanks}>{thanks}</div>
      {onTryAgain && <LostProfile onTryAgain={onTryAgain} />}
      <Cluster className={styles.actions}>
        {offsetterURL !== null && (
          <ButtonLink kind="action" to={offsetterURL}>
            See your story
          </ButtonLink>
        )}
        <Link to={home} className={styles.link}>
          Go to the home page
        </Link>
      </Cluster>
      {draft && <DraftStory profile={draft} />}
    </>
  );
}

function LostProfile({ onTryAgain }: { onTryAgain: () => Promise<void> }) {
  const { busy, problem, run } = useAttempt();
  return (
    <Notice
      title="Your story may not have reached us"
      actions={
        <Button kind="action" busy={busy} onClick={() => void run(onTryAgain)}>
          Try again
        </Button>
      }
    >
      <p>What you wrote is still in this tab, so you can send it again.</p>
      <Problem>{problem}</Problem>
    </Notice>
  );
}

/** A story in review, as its page will show it (decisions §5). */
function DraftStory({ profile }: { profile: Profile }) {
  return (
    <section className={styles.draft} aria-labelledby="draft">
      <h2 id="draft">How your story will look</h2>
      <p>Only you can see this for now. Once an editor approves it, it appears with the other stories.</p>
      <Card className={styles.story}>
        <StoryPhoto
          profile={profile}
          scene={SCENES.offsetters}
          className={styles.photo}
          sizes="(max-width: 960px) 92vw, 640px"
        />
        <div className={styles.storyText}>
          <h3>{profile.name}</h3>
          {storyParagraphs(profile.story).map(({ key, text }) => (
            <p key={key}>{text}</p>
          ))}
        </div>
      </Card>
    </section>
  );
}

type NoticeProps = { title: string; actions: ReactNode; lamp?: boolean; children: ReactNode };

function Notice({ title, actions, lamp = false, children }: NoticeProps) {
  return (
    <Card className={styles.notice} aria-labelledby="checkout-notice">
      {lamp && <span className={styles.lamp} aria-hidden="true" />}
      <h2 id="checkout-notice" className={styles.noticeTitle}>
        {title}
      </h2>
      {children}
      {actions && <Cluster className={styles.actions}>{actions}</Cluster>}
    </Card>
  );
}
