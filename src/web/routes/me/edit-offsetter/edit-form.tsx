import type { ChangeEvent, ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded } from '#web/ui/form-card.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ShownAsChoice } from '#web/ui/shown-as-choice.tsx';
import { storyHint } from '#web/ui/story-hint.ts';
import { UploadProgress } from '#web/ui/upload-progress.tsx';
import { useFieldErrors } from '#web/ui/use-field-errors.ts';
import styles from './edit-form.module.css';
import { type OffsetterField, offsetterProblems, standingOf, stillNeeded } from './offsetter-draft.ts';
import type { OffsetterEdit } from './use-offsetter-edit.ts';

type EditFormProps = {
  edit: OffsetterEdit;
  onSave: () => void;
  onCancel: () => void;
  /** The button that deletes it, for admins (§2). */
  deleting: ReactNode;
};

/** An offsetter's name, story and photo, to be changed (§2, §5). */
export function EditForm({ edit, onSave, onCancel, deleting }: EditFormProps) {
  const { saved, draft, photo, sent, refusal, change, choosePhoto } = edit;
  const problems = offsetterProblems(draft, photo, saved.photo !== null);
  const { errorOf, leave } = useFieldErrors(problems, refusal);
  const sending = sent !== undefined;
  const needed = stillNeeded(problems);
  const standing = standingOf(saved);
  const typing = (field: Exclude<OffsetterField, 'file'>) => ({
    name: field,
    value: draft[field],
    required: draft.shownAs !== 'none',
    error: errorOf(field, draft[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ [field]: currentTarget.value }),
    onBlur: () => leave(field),
  });
  return (
    <FormCard
      title="Name, story and photo"
      sending={sending}
      refusal={refusal}
      onSubmit={() => needed === '' && onSave()}
      progress={sending && <UploadProgress sent={sent} />}
      foot={
        <>
          <Button type="submit" kind="action" busy={sending} disabled={needed !== ''}>
            {sending ? 'Saving…' : 'Save'}
          </Button>
          <Button kind="outline" disabled={sending} onClick={onCancel}>
            Cancel
          </Button>
          {deleting}
          <StillNeeded fields={needed} />
        </>
      }
    >
      {standing !== undefined && <p className={styles.standing}>{standing}</p>}
      <TextField label="Name" autoComplete="name" {...typing('name')} />
      <TextArea
        label="Story"
        rows={10}
        placeholder="Why do you offset?"
        hint={storyHint(draft.story)}
        {...typing('story')}
      />
      <PhotoField
        photo={photo}
        existing={saved.photo ? smallest(saved.photo).url : undefined}
        problem={errorOf('file', !photo) ?? (photo && problems.file)}
        onPhoto={choosePhoto}
      />
      <ShownAsChoice
        name={draft.name}
        value={draft.shownAs}
        onChange={(shownAs) => change({ shownAs })}
        withoutPage="Your page is kept, and nobody sees it."
      />
    </FormCard>
  );
}

type Sources = { readonly url: string; readonly sources: readonly { url: string; width: number }[] };

function smallest({ url, sources }: Sources): { url: string } {
  return sources.toSorted((one, other) => one.width - other.width)[0] ?? { url };
}
