import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react';
import styles from './form-card.module.css';
import { Problem } from './problem.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Why the form was refused, and by which of its fields, where it is one's fault. */
type FormRefusal = { readonly field: string | undefined; readonly message: string };

type FormCardProps = {
  title: string;
  /** While it is being sent nothing in it can be changed. */
  sending: boolean;
  refusal: FormRefusal | undefined;
  onSubmit: () => void;
  /** The fields. */
  children: ReactNode;
  /** How far it is sent. */
  progress?: ReactNode;
  /** Its buttons, and what keeps them from being pressed. */
  foot: ReactNode;
};

/** A form of a page: its fields on paper, and a message where all of it was refused. */
export function FormCard({ title, sending, refusal, onSubmit, children, progress, foot }: FormCardProps) {
  const titleId = useId();
  const form = useFocusOnRefusal(refusal);
  const submitted = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={form} onSubmit={submitted} noValidate className={styles.form} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <fieldset disabled={sending} className={styles.fields}>
        {children}
      </fieldset>
      <Problem tabIndex={-1} data-problem>
        {refusal && refusal.field === undefined ? refusal.message : ''}
      </Problem>
      {progress}
      <div className={styles.foot}>{foot}</div>
    </form>
  );
}

type StillNeededProps = {
  /** "your name and a photo", or '' */
  fields: string;
  /** What it is needed for, where there are several things that one could do: "to publish". */
  purpose?: string | undefined;
};

/** What is still to be filled in, beside the button that waits for it. */
export function StillNeeded({ fields, purpose }: StillNeededProps) {
  const still = purpose === undefined ? 'Still needed' : `Still needed ${purpose}`;
  return <p className={styles.needed}>{fields !== '' && `${still}: ${fields}.`}</p>;
}

/** Takes the reader to the field that was refused, or to the message that is about none. */
function useFocusOnRefusal(refusal: FormRefusal | undefined) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!refusal) return;
    const at = refusal.field === undefined ? '[data-problem]' : `[name="${refusal.field}"]`;
    form.current?.querySelector<HTMLElement>(at)?.focus();
  }, [refusal]);
  return form;
}

/** How often it is read out: at every quarter. */
const TOLD_EACH = 25;

type UploadProgressProps = {
  /** From 0 to 1. */
  sent: number;
  what?: string;
};

/** How far the upload is. */
export function UploadProgress({ sent, what = 'your story' }: UploadProgressProps) {
  const percent = Math.floor(sent * 100);
  const told = percent - (percent % TOLD_EACH);
  return (
    <div className={styles.upload}>
      <p className={styles.words} aria-hidden="true">
        <span>{percent < 100 ? `Sending ${what}` : `Saving ${what}`}</span>
        <span>{percent}%</span>
      </p>
      <progress className={styles.bar} value={sent} max={1} aria-label="Upload" />
      <output>
        <VisuallyHidden>{told < 100 ? `${told} percent sent` : 'All is sent and is being saved'}</VisuallyHidden>
      </output>
    </div>
  );
}
