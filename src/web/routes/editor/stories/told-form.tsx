import type { ChangeEvent } from 'react';
import type { StoryStatus } from '#domain/profile.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { storyHint } from '#web/ui/story-fields.tsx';
import { useFieldErrors } from '#web/ui/use-field-errors.ts';
import { ConsentField } from './consent-field.tsx';
import styles from './story-editing.module.css';
import { StoryStatusMark } from './story-status.tsx';
import { draftProblems, publishProblems, stillNeeded } from './told-draft.ts';
import { TOLD_WORDS } from './told-words.ts';
import type { ToldEdit } from './use-told-edit.ts';

type ToldFormProps = {
  edit: ToldEdit;
  /** @param status what becomes of the story; nothing where it stays as it is */
  onSave: (status: StoryStatus | undefined) => void;
  onCancel: () => void;
};

/** An awardee's or an installer's name, story and photo, and for an awardee the consent to show them. */
export function ToldForm({ edit, onSave, onCancel }: ToldFormProps) {
  const { kind, saved, draft, photo, sent, refusal, change, choosePhoto } = edit;
  const photos = { chosen: photo, hasPhoto: Boolean(saved?.photo) };
  const problems = draftProblems(draft, photos);
  const { errorOf, leave } = useFieldErrors(problems, refusal);
  const sending = sent !== undefined;
  const words = TOLD_WORDS[kind];
  const typing = (field: 'name' | 'story') => ({
    name: field,
    value: draft[field],
    required: true,
    error: errorOf(field, draft[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ [field]: currentTarget.value }),
    onBlur: () => leave(field),
  });
  const buttons = buttonsFor(edit, stillNeeded(problems), stillNeeded(publishProblems(kind, draft, photos)));
  return (
    <FormCard
      title="Name, story and photo"
      sending={sending}
      refusal={refusal}
      onSubmit={() => buttons.save.isReady && onSave(buttons.save.status)}
      progress={sending && <UploadProgress sent={sent} what="the story" />}
      foot={
        <>
          {buttons.publish && (
            <Button
              kind="action"
              busy={sending}
              disabled={!buttons.publish.isReady}
              onClick={() => onSave('published')}
            >
              Publish
            </Button>
          )}
          <Button
            type="submit"
            kind={buttons.publish ? 'dark' : 'action'}
            busy={sending}
            disabled={!buttons.save.isReady}
          >
            {sending ? 'Saving…' : buttons.save.label}
          </Button>
          <Button kind="outline" disabled={sending} onClick={onCancel}>
            Cancel
          </Button>
          <StillNeeded fields={buttons.needed} purpose={buttons.publish && 'to publish'} />
        </>
      }
    >
      <p className={styles.standing}>
        <StoryStatusMark status={saved?.status ?? 'draft'} /> {standingSentence(saved?.status ?? 'draft')}
      </p>
      <TextField label="Name" autoComplete="off" placeholder={words.namePlaceholder} {...typing('name')} />
      <TextArea
        label="Story"
        rows={10}
        placeholder={words.placeholder}
        hint={storyHint(draft.story)}
        {...typing('story')}
      />
      <PhotoField
        label="Photo"
        photo={photo}
        existing={saved?.photo?.url}
        problem={errorOf('file', !photo) ?? (photo && problems.file)}
        onPhoto={choosePhoto}
      />
      {kind === 'awardee' && (
        <ConsentField
          consent={saved?.consent ?? undefined}
          isPublished={saved?.status === 'published'}
          checked={draft.consent}
          error={refusal?.field === 'consent' ? refusal.message : undefined}
          onChange={(consent) => change({ consent })}
        />
      )}
    </FormCard>
  );
}

function standingSentence(status: StoryStatus): string {
  if (status === 'published') return 'What you save is on the site at once.';
  return status === 'draft' ? 'Only editors see it.' : 'It was taken off the site. Only editors see it.';
}

/** Which buttons there are, and what each still waits for. */
function buttonsFor({ kind, saved, draft, isUnsaved }: ToldEdit, toSave: string, toPublish: string) {
  const status = saved?.status ?? 'draft';
  if (status === 'published') {
    const isRevoked = kind === 'awardee' && !draft.consent;
    const label = isRevoked ? 'Save and hide' : 'Save';
    return { publish: undefined, save: { label, isReady: toSave === '', status: undefined }, needed: toSave };
  }
  const label = status === 'draft' ? 'Save as draft' : 'Save';
  // A draft that nothing was changed of is a draft already.
  const isReady = toSave === '' && isUnsaved;
  return {
    publish: { isReady: toPublish === '' },
    save: { label, isReady, status: saved ? undefined : ('draft' as const) },
    needed: toPublish,
  };
}
