import { useId } from 'react';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { dayText } from '#web/ui/text.ts';
import styles from './story-editing.module.css';

type Consent = NonNullable<EditorialStory['consent']>;

type ConsentFieldProps = {
  /** What is recorded of it. */
  consent: Consent | undefined;
  isPublished: boolean;
  checked: boolean;
  error: string | undefined;
  onChange: (consent: boolean) => void;
};

/** An awardee's consent to publication, which is recorded with who and when, and can be revoked (decisions §5). */
export function ConsentField({ consent, isPublished, checked, error, onChange }: ConsentFieldProps) {
  const id = useId();
  return (
    <div className={styles.consent}>
      <p className={styles.legend}>Consent</p>
      <Checkbox
        name="consent"
        checked={checked}
        aria-describedby={`${id}-about`}
        aria-invalid={error === undefined ? undefined : true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      >
        The household has agreed that this name, story and photo are shown to everybody on this site.
      </Checkbox>
      <div id={`${id}-about`} className={styles.hint}>
        <p>Keep what they signed. They may change their mind at any time: untick this and save.</p>
        {consent?.at != null && <p>{recordSentence(consent, consent.at)}</p>}
      </div>
      <p role="alert" className={styles.warning}>
        {error ?? (isPublished && !checked ? 'Without the consent the story is taken off the site when you save.' : '')}
      </p>
    </div>
  );
}

function recordSentence({ given, by }: Consent, at: string): string {
  const who = by === null ? '' : ` by ${by}`;
  return `${given ? 'Given' : 'Revoked'}: recorded on ${dayText(at)}${who}.`;
}
