import { type ReactNode, useState } from 'react';
import { failedSentence } from '#web/api/refusal.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import styles from './notice.module.css';

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
      <h2 id="lost-profile" className={styles.title}>
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
