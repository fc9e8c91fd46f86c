import { type ReactNode, useState } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import { failedSentence } from '#web/api/api-error.ts';
import { Link } from '#web/navigation/link.tsx';
import { storyParagraphs } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { StoryPhoto } from '#web/stories/story-photo.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import styles from './checkout.module.css';
import type { CheckoutStage } from './checkout-stage.ts';

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
      <h2 id="checkout-notice" className={styles.noticeTitle}>
        {title}
      </h2>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}

type OverPanelProps = {
  /** The thanks cell. */
  thanks: ReactNode;
  /** The offsetter page, when there is one (§2). */
  offsetterUrl: string | null;
  /** The address of the organisation's home page. */
  home: string;
  /** Set after a lost upload: looks whether the form can be opened again. */
  onTryAgain: (() => Promise<void>) | undefined;
  /** The story as it waits for an editor. */
  draft: ReactNode;
};

/** What a paid checkout shows when nothing is left to do (§2). */
export function OverPanel({ thanks, offsetterUrl, home, onTryAgain, draft }: OverPanelProps) {
  return (
    <>
      <div className={styles.thanks}>{thanks}</div>
      {onTryAgain && <LostProfile onTryAgain={onTryAgain} />}
      <div className={styles.actions}>
        {offsetterUrl !== null && (
          <ButtonLink kind="action" to={offsetterUrl}>
            See your story
          </ButtonLink>
        )}
        <Link to={home} className={styles.link}>
          Go to the home page
        </Link>
      </div>
      {draft && (
        <section className={styles.draft} aria-labelledby="draft">
          <h2 id="draft">How your story will look</h2>
          <p>For now only this page shows it. Once an editor has approved it, it stands among our offsetters.</p>
          {draft}
        </section>
      )}
    </>
  );
}

function LostProfile({ onTryAgain }: { onTryAgain: () => Promise<void> }) {
  const [trying, setTrying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const tryAgain = async () => {
    setTrying(true);
    setProblem(undefined);
    await onTryAgain().catch((error: unknown) => setProblem(failedSentence(error)));
    setTrying(false);
  };
  return (
    <section className={styles.notice} aria-labelledby="lost-profile">
      <h2 id="lost-profile" className={styles.noticeTitle}>
        Your profile may not have reached us
      </h2>
      <p>What you wrote is kept in this tab, so nothing is lost if you try once more.</p>
      <div className={styles.actions}>
        <Button kind="action" busy={trying} onClick={() => void tryAgain()}>
          Try again
        </Button>
      </div>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    </section>
  );
}

/** A story that waits for an editor, as its offsetter page will show it (decisions §5). */
export function DraftStory({ profile }: { profile: Profile }) {
  return (
    <article className={styles.story}>
      <StoryPhoto
        profile={profile}
        scene={SCENES.offsetters}
        className={styles.photo}
        sizes="(max-width: 960px) 92vw, 640px"
      />
      <div className={styles.draftStoryWords}>
        <h3>{profile.name}</h3>
        {storyParagraphs(profile.story).map(({ key, text }) => (
          <p key={key}>{text}</p>
        ))}
      </div>
    </article>
  );
}
