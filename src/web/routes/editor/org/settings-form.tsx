import type { ChangeEvent } from 'react';
import { charactersOf } from '#domain/characters.ts';
import { TAG_MAXIMUM } from '#domain/org.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormCard } from '#web/ui/form-card.tsx';
import styles from './org-settings.module.css';
import type { SettingsField } from './settings-draft.ts';
import { SettingsSection } from './settings-section.tsx';
import { StatsFields } from './stats-fields.tsx';
import type { Settings } from './use-settings.ts';

type SettingsFormProps = {
  settings: Settings;
  /** Whether the slug may be changed: admins alone (§5). */
  maySetSlug: boolean;
  onSave: () => void;
  onSetStats: () => void;
};

/** Slug, name, tag, stats, and what of the stories is shown (§2). */
export function SettingsForm({ settings, maySetSlug, onSave, onSetStats }: SettingsFormProps) {
  const { saved, form, isUnsaved } = settings;
  const { values: draft, problems, errorOf, leave, refusal, busy, change } = form;
  const isValid = Object.keys(problems).length === 0;
  const typing = (field: SettingsField) => ({
    name: field,
    value: draft[field],
    error: errorOf(field, false),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => change({ [field]: currentTarget.value }),
    onBlur: () => leave(field),
  });
  return (
    <FormCard
      title="Settings"
      sending={busy}
      refusal={refusal}
      onSubmit={() => isUnsaved && isValid && onSave()}
      foot={
        <>
          <Button type="submit" kind="action" busy={busy} disabled={!isUnsaved || !isValid}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
          <p className={styles.standing}>{standingOf(isUnsaved, isValid)}</p>
        </>
      }
    >
      <TextField label="Name" autoComplete="off" required {...typing('name')} />
      <TextField
        label="Tag"
        autoComplete="off"
        required
        hint={`The heading over the picture on the home page. ${charactersOf(draft.tag).length} of ${TAG_MAXIMUM} characters.`}
        {...typing('tag')}
      />
      <TextField
        label="Slug"
        prefix="/"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={!maySetSlug}
        hint={
          maySetSlug
            ? 'The short address of the site. Links to the one before no longer lead here.'
            : 'The short address of the site. Only admins can change it.'
        }
        {...typing('slug')}
      />
      <StatsFields
        stats={saved.stats}
        delta={draft.delta}
        onDelta={(name, text) => change({ delta: { ...draft.delta, [name]: text } })}
        onSet={onSetStats}
      />
      <SettingsSection title="Stories">
        <Checkbox
          checked={draft.showAwardees}
          onChange={({ currentTarget }) => change({ showAwardees: currentTarget.checked })}
        >
          Show awardees
          <small className={styles.hint}>Without it the site tells how to become one, in their place.</small>
        </Checkbox>
        <Checkbox
          checked={draft.reviewStories}
          onChange={({ currentTarget }) => change({ reviewStories: currentTarget.checked })}
        >
          Review stories before they are shown
          <small className={styles.hint}>Each new story then waits until an editor publishes it.</small>
        </Checkbox>
      </SettingsSection>
    </FormCard>
  );
}

function standingOf(isUnsaved: boolean, isValid: boolean): string {
  if (!isValid) return 'Please mend what is marked first.';
  return isUnsaved ? 'What you changed is not saved yet.' : 'Everything is saved.';
}
