import { useId } from 'react';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { FormCard, MissingFields, UploadProgress } from '#web/forms/form-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { storyHint } from '#web/ui/story-fields.tsx';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { useDates } from '../use-dates.ts';
import { findPublishProblems, formatMissingFields, KIND_LABELS } from './editorial-story.ts';
import styles from './stories.module.css';
import { StoryStatusMark } from './story-parts.tsx';
import type { ConflictingStory, EditorialEdit, NewerStory } from './use-editorial-edit.ts';

type EditorialFormProps = {
  edit: EditorialEdit;
  /** @param status the new status; undefined leaves it unchanged */
  onSave: (status: StoryStatus | undefined) => void;
  onCancel: () => void;
};

/** Name, story, and photo, plus consent to publish for an awardee. */
export function EditorialForm({ edit, onSave, onCancel }: EditorialFormProps) {
  const { kind, saved, form, draft, photo } = edit;
  const { error, problems, errorOf, fieldProps, change, busy, progress } = form;
  const labels = KIND_LABELS[kind];
  const status = saved?.status ?? 'draft';
  const missingToPublish = findPublishProblems(kind, draft, { newPhoto: photo, hasPhoto: Boolean(saved?.photo) });
  const buttons = getButtons(edit, formatMissingFields(problems), formatMissingFields(missingToPublish));
  return (
    <FormCard
      title="Name, story, and photo"
      sending={busy}
      error={error}
      onSubmit={() => buttons.save.isReady && onSave(buttons.save.status)}
      progress={progress !== undefined && <UploadProgress fraction={progress} subject="the story" />}
      footer={
        <>
          {buttons.publish && (
            <Button kind="action" busy={busy} disabled={!buttons.publish.isReady} onClick={() => onSave('published')}>
              Publish
            </Button>
          )}
          <Button type="submit" kind={buttons.publish ? 'dark' : 'action'} busy={busy} disabled={!buttons.save.isReady}>
            {busy ? 'Saving…' : buttons.save.label}
          </Button>
          <Button kind="outline" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <MissingFields fields={buttons.missingFields} purpose={buttons.publish && 'to publish'} />
        </>
      }
    >
      <p className={styles.facts}>
        <StoryStatusMark status={status} /> {STATUS_NOTES[status]}
      </p>
      <TextField
        label="Name"
        autoComplete="off"
        placeholder={labels.namePlaceholder}
        required
        {...fieldProps('name')}
      />
      <TextArea
        label="Story"
        dir="auto"
        rows={10}
        placeholder={labels.storyPlaceholder}
        hint={storyHint(draft.story)}
        required
        {...fieldProps('story')}
      />
      <PhotoField
        label="Photo"
        photo={photo}
        currentUrl={saved?.photo?.url}
        isOptional={status !== 'published'}
        problem={errorOf('file', !photo) ?? (photo && problems.file)}
        onPhoto={(file) => change({ file })}
      />
      {kind === 'awardee' && (
        <ConsentField
          consent={saved?.consent ?? undefined}
          isPublished={status === 'published'}
          checked={draft.consent}
          error={error?.field === 'consent' ? error.message : undefined}
          onChange={(consent) => change({ consent })}
        />
      )}
    </FormCard>
  );
}

const STATUS_NOTES: Readonly<Record<StoryStatus, string>> = {
  published: 'Changes go live as soon as you save.',
  draft: 'Only editors can see this story.',
  hidden: 'This story isn’t on the site. Only editors can see it.',
};

/** Returns the buttons for the story's status and missing fields. */
function getButtons({ kind, saved, draft, isUnsaved }: EditorialEdit, missingToSave: string, missingToPublish: string) {
  const status = saved?.status ?? 'draft';
  if (status === 'published') {
    const isRevoked = kind === 'awardee' && !draft.consent;
    const label = isRevoked ? 'Save and hide' : 'Save';
    return {
      publish: undefined,
      save: { label, isReady: missingToSave === '', status: undefined },
      missingFields: missingToSave,
    };
  }
  const label = status === 'draft' ? 'Save as draft' : 'Save';
  const isReady = missingToSave === '' && isUnsaved;
  return {
    publish: { isReady: missingToPublish === '' },
    save: { label, isReady, status: saved ? undefined : ('draft' as const) },
    missingFields: missingToPublish,
  };
}

type Consent = NonNullable<EditorialStory['consent']>;

type ConsentFieldProps = {
  /** The recorded consent. */
  consent: Consent | undefined;
  isPublished: boolean;
  checked: boolean;
  error: string | undefined;
  onChange: (consent: boolean) => void;
};

/** An awardee's consent to publication, which is recorded with its author and time and can be revoked (decisions §5). */
function ConsentField({ consent, isPublished, checked, error, onChange }: ConsentFieldProps) {
  const id = useId();
  const { formatDate } = useDates();
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
        The household has agreed that this name, story, and photo may be shown publicly.
      </Checkbox>
      <div id={`${id}-about`} className={styles.hint}>
        <p>Keep the signed form. If they change their mind, uncheck this and save.</p>
        {consent?.changedTimestamp != null && <p>{describeConsent(consent, formatDate(consent.changedTimestamp))}</p>}
      </div>
      <p role="alert" className={styles.warning}>
        {error ?? (isPublished && !checked ? 'Saving without consent takes the story off the site.' : '')}
      </p>
    </div>
  );
}

function describeConsent({ isGiven, recordedBy }: Consent, day: string): string {
  const byline = recordedBy === null ? '' : ` by ${recordedBy}`;
  return `${isGiven ? 'Given' : 'Revoked'}: recorded on ${day}${byline}.`;
}

type StoryConflictDialogProps = {
  newer: NewerStory;
  ownVersion: ConflictingStory;
  onOverwrite: () => void;
  onTakeTheirs: () => void;
  onKeepEditing: () => void;
};

export function StoryConflictDialog(props: StoryConflictDialogProps) {
  const { newer, ownVersion, onOverwrite, onTakeTheirs, onKeepEditing } = props;
  return (
    <ConflictDialog
      subject="this story"
      isOwn={newer.isOwn}
      theirText={formatVersion(newer)}
      ownText={formatVersion(ownVersion)}
      keepEditingLabel="Back to my version"
      takeTheirsLabel={newer.isOwn ? 'Keep the saved one' : 'Keep theirs, discard mine'}
      onKeepEditing={onKeepEditing}
      onTakeTheirs={onTakeTheirs}
      onOverwrite={onOverwrite}
    >
      {newer.isOwn ? 'You' : 'Another editor'} saved this story while you were editing. Choose which version to keep.
      The other will be discarded.
    </ConflictDialog>
  );
}

function formatVersion({ name, story }: ConflictingStory): string {
  return `${name}\n\n${story}`;
}
