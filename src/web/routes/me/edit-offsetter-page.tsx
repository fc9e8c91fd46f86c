import type { ChangeEvent, ReactNode } from 'react';
import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ShownAsChoice, storyHint } from '#web/ui/story-fields.tsx';
import { useFieldErrors } from '#web/ui/use-field-errors.ts';
import styles from './me.module.css';
import type { EditOffsetterData } from './route.ts';
import {
  type OffsetterEdit,
  type OffsetterField,
  offsetterProblems,
  standingOf,
  stillNeeded,
  useEditOffsetterPage,
} from './use-edit-offsetter.ts';

type EditOffsetterPageProps = OrgFrame & EditOffsetterData;

/** An offsetter, to be changed by its owner or an admin (§2). */
export function EditOffsetterPage(props: EditOffsetterPageProps) {
  return <EditOffsetterById key={props.offsetter.id} {...props} />;
}

function EditOffsetterById(props: EditOffsetterPageProps) {
  const { org, offsetter } = props;
  const page = useEditOffsetterPage(props);
  const { edit, leaving, deletion } = page;
  return (
    <Page narrow>
      <DocumentTitle parts={['Edit offsetter', org.name]} />
      <PageTitle>Edit offsetter</PageTitle>
      <p className={styles.editOffsetterPageLead}>
        {offsetter.mine
          ? 'Your story stands among our offsetters.'
          : `You are changing the story of ${offsetter.name}.`}
      </p>
      <EditForm
        edit={edit}
        onSave={() => void page.save()}
        onCancel={page.cancel}
        deleting={
          page.mayDelete && (
            <Button kind="remove" onClick={deletion.ask}>
              <Icon name="trash" /> Delete
            </Button>
          )
        }
      />
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
      {deletion.asking && (
        <ConfirmDialog
          title="Delete offsetter"
          confirm="Delete"
          destructive
          busy={deletion.busy}
          problem={deletion.problem}
          onConfirm={() => void deletion.confirm()}
          onClose={deletion.close}
        >
          <p>The story and the photo of {offsetter.name} are deleted. This cannot be undone. The gift itself stays.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type EditFormProps = {
  edit: OffsetterEdit;
  onSave: () => void;
  onCancel: () => void;
  /** The button that deletes it, for admins (§2). */
  deleting: ReactNode;
};

/** An offsetter's name, story and photo, to be changed (§2, §5). */
function EditForm({ edit, onSave, onCancel, deleting }: EditFormProps) {
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
