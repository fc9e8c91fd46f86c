import { useState } from 'react';
import { isStoryShown } from '#domain/profile.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { ProfileFields } from '#web/stories/profile-fields.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './me.module.css';
import type { EditOffsetterData } from './route.ts';
import { hiddenNote, stillNeeded, useEditOffsetter } from './use-edit-offsetter.ts';

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
      <ProfileFields
        values={values}
        photo={values.file}
        problems={problems}
        savedPhoto={saved.photo ? smallest(saved.photo).url : undefined}
        errorOf={errorOf}
        onChange={change}
        onPhoto={(file) => change({ file })}
        onLeave={leave}
        choice="last"
        withoutPage="Your page is saved, but hidden."
        story={{ rows: 10, placeholder: 'Why do you offset?' }}
      />
    </FormCard>
  );
}

type Sources = { readonly url: string; readonly sources: readonly { url: string; width: number }[] };

function smallest({ url, sources }: Sources): { url: string } {
  return sources.toSorted((one, other) => one.width - other.width)[0] ?? { url };
}
