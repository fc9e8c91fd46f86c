import { type ReactNode, useId } from 'react';
import { m } from '#messages';
import { Problem } from '#web/ui/problem.tsx';
import { Form } from './form.tsx';
import styles from './form-card.module.css';
import type { FormError } from './form-errors.ts';
import { TransferProgress } from './transfer-progress.tsx';

type FormCardProps = {
  title: string;
  /** Shown on the same line as the title. */
  titleAside?: ReactNode;
  sending: boolean;
  error: FormError | undefined;
  onSubmit: () => void;
  children: ReactNode;
  progress?: ReactNode;
  /** Buttons and the list of missing fields. */
  footer: ReactNode;
};

/** A form in a card. Form-level errors appear below the fields. */
export function FormCard({ title, titleAside, sending, error, onSubmit, children, progress, footer }: FormCardProps) {
  const titleId = useId();
  return (
    <Form error={error} onSubmit={onSubmit} className={styles.form} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {titleAside}
      </div>
      <fieldset disabled={sending} className={styles.fields}>
        {children}
      </fieldset>
      <Problem>{error && error.field === undefined ? error.message : ''}</Problem>
      {progress}
      <div className={styles.foot}>{footer}</div>
    </Form>
  );
}

type MissingFieldsProps = {
  /** For the submit button's description. */
  id?: string;
  /** "your name and a photo", or '' */
  fields: string;
  /** Reason the fields are needed, such as "to publish". */
  purpose?: string | undefined;
};

/** A live region, so that screen readers announce the list when it changes. */
export function MissingFields({ id, fields, purpose }: MissingFieldsProps) {
  const text = () => (purpose === undefined ? m.stillNeeded({ fields }) : m.stillNeededTo({ purpose, fields }));
  return (
    <output id={id} className={styles.needed}>
      {fields !== '' && text()}
    </output>
  );
}

type UploadProgressProps = {
  /** Between 0 and 1. */
  fraction: number;
  subject?: string;
};

export function UploadProgress({ fraction, subject = m.yourStory() }: UploadProgressProps) {
  const text = fraction < 1 ? m.uploadSending({ subject }) : m.uploadSaving({ subject });
  return <TransferProgress fraction={fraction} label={m.upload()} text={text} />;
}
