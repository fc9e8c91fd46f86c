import { type ChangeEvent, useState } from 'react';
import { isStoryShown } from '#domain/profile.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ShownAsChoice, storyHint } from '#web/ui/story-fields.tsx';
import styles from './me.module.css';
import type { EditOffsetterData } from './route.ts';
import { hiddenNote, type OffsetterField, stillNeeded, useEditOffsetter } from './use-edit-offsetter.ts';

type EditOffsetterPageProps = OrgFrame & EditOffsetterData;

/** For the story's owner, and for admins (§2). */
export function EditOffsetterPage(props: EditOffsetterPageProps) {
  return <EditOffsetterById key={props.offsetter.id} {...props} />;
}

function EditOffsetterById(props: EditOffsetterPageProps) {
  const { org, offsetter } = props;
  const edit = useEditOffsetter(props);
  const { leaving, deleting } = edit;
  const [asking, setAsking] = useState(false);
  const title = offsetter.mine ? 'Edit your story' : 'Edit story';
  return (
    <Page narrow>
      <DocumentTitle parts={[title, org.name]} />
      <PageTitle>{title}</PageTitle>
      <p className={styles.editLead}>
        {offsetter.mine
          ? isStoryShown(edit.saved) && 'Your story is live.'
          : `You are editing the story of ${offsetter.name}.`}
      </p>
      <EditForm
        edit={edit}
        onDelete={() => {
          deleting.clear();
          setAsking(true);
        }}
      />
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
      {asking && (
        <ConfirmDialog
          title="Delete story"
          confirm="Delete"
          destructive
          busy={deleting.busy}
          problem={deleting.problem}
          onConfirm={() => void edit.remove()}
          onClose={() => setAsking(false)}
        >
          <p>This permanently deletes {offsetter.name}’s story and photo. The gift itself stays.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type EditFormProps = { edit: ReturnType<typeof useEditOffsetter>; onDelete: () => void };

function EditForm({ edit, onDelete }: EditFormProps) {
  const { saved } = edit;
  const { values, problems, refusal, progress, busy, change, errorOf, leave } = edit.form;
  const needed = stillNeeded(problems);
  const note = hiddenNote(saved);
  const typing = (field: Exclude<OffsetterField, 'file'>) => ({
    name: field,
    value: values[field],
    required: values.shownAs !== 'none',
    error: errorOf(field, values[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ [field]: currentTarget.value }),
    onBlur: () => leave(field),
  });
  return (
    <FormCard
      title="Name, story and photo"
      sending={busy}
      refusal={refusal}
      onSubmit={() => needed === '' && void edit.save()}
      progress={progress !== undefined && <UploadProgress sent={progress} />}
      foot={
        <>
          <Button type="submit" kind="action" busy={busy} disabled={needed !== ''}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
          <Button kind="outline" disabled={busy} onClick={edit.cancel}>
            Cancel
          </Button>
          {edit.mayDelete && (
            <Button kind="remove" onClick={onDelete}>
              <Icon name="trash" /> Delete
            </Button>
          )}
          <StillNeeded fields={needed} />
        </>
      }
    >
      {note !== undefined && <p className={styles.hiddenNote}>{note}</p>}
      <TextField label="Name" autoComplete="name" {...typing('name')} />
      <TextArea
        label="Story"
        rows={10}
        placeholder="Why do you offset?"
        hint={storyHint(values.story)}
        {...typing('story')}
      />
      <PhotoField
        photo={values.file}
        existing={saved.photo ? smallest(saved.photo).url : undefined}
        problem={errorOf('file', !values.file) ?? (values.file && problems.file)}
        onPhoto={(file) => change({ file })}
      />
      <ShownAsChoice
        name={values.name}
        value={values.shownAs}
        onChange={(shownAs) => change({ shownAs })}
        withoutPage="Your page is saved, but hidden."
      />
    </FormCard>
  );
}

type Sources = { readonly url: string; readonly sources: readonly { url: string; width: number }[] };

function smallest({ url, sources }: Sources): { url: string } {
  return sources.toSorted((one, other) => one.width - other.width)[0] ?? { url };
}
