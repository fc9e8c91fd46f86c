import { type ReactNode, type SubmitEvent, useId } from 'react';
import type { Attempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './sign-in-form.module.css';

type SignInFormProps = {
  /** What the form is for, where the page has more than one. */
  title?: string;
  /** What the button says. */
  action: string;
  kind?: 'action' | 'dark' | 'outline';
  attempt: Pick<Attempt, 'busy' | 'problem'>;
  /** Whether it can be sent as it stands. */
  isReady: boolean;
  onSubmit: () => void;
  /** The fields. */
  children: ReactNode;
  /** Beneath the button. */
  foot?: ReactNode;
};

/** A form of signing in: why it was refused stands above its button, which is enabled by what is typed (§4, §8). */
export function SignInForm({
  title,
  action,
  kind = 'dark',
  attempt,
  isReady,
  onSubmit,
  children,
  foot,
}: SignInFormProps) {
  const titleId = useId();
  const { busy, problem } = attempt;
  const submitted = (event: SubmitEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form
      onSubmit={submitted}
      noValidate
      className={styles.form}
      aria-labelledby={title === undefined ? undefined : titleId}
    >
      {title !== undefined && (
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
      )}
      <fieldset disabled={busy} className={styles.fields}>
        {children}
      </fieldset>
      <Problem>{problem}</Problem>
      <div className={styles.foot}>
        <Button type="submit" kind={kind} wide busy={busy} disabled={!isReady}>
          {action}
        </Button>
        {foot}
      </div>
    </form>
  );
}

/** Stands between two ways of doing the same. */
export function Or() {
  return <p className={styles.or}>or</p>;
}

/** Why something was refused; read out when it appears. */
export function Problem({ children }: { children: string | undefined }) {
  return (
    <p role="alert" className={styles.problem}>
      {children}
    </p>
  );
}

/** What was done, beside what can be done next; read out when it appears. */
export function Done({ children }: { children: ReactNode }) {
  return <output className={styles.done}>{children}</output>;
}
