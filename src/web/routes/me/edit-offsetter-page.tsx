import { useId, useState } from 'react';
import { isStoryShown } from '#domain/profile.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormCard, MissingFields, UploadProgress } from '#web/forms/form-card.tsx';
import { LeaveDialog } from '#web/forms/leave-guard.tsx';
import { DraftNote } from '#web/session/unsaved-draft-note.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ProfileFields } from '#web/stories/profile-fields.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './me.module.css';
import type { EditOffsetterData } from './route.ts';
import { formatMissingFields, getHiddenNote, useEditOffsetter } from './use-edit-offsetter.ts';

type EditOffsetterPageProps = OrgPageProps & EditOffsetterData;

/** Edit form for a story, for its owner and admins (§2). */
export function EditOffsetterPage(props: EditOffsetterPageProps) {
  return <EditOffsetterById key={props.offsetterId} {...props} />;
}

function EditOffsetterById(props: EditOffsetterPageProps) {
  const edit = useEditOffsetter(props);
  const { offsetter, leaveGuard } = edit;
  const [isConfirmingDeletion, setIsConfirmingDeletion] = useState(false);
  const title = offsetter.mine ? m.storyEditYours() : m.storyEdit();
  return (
    <Page narrow>
      <DocumentTitle parts={[title, props.org.name]} />
      <PageTitle>{title}</PageTitle>
      <p className={styles.editLead}>
        {offsetter.mine ? isStoryShown(offsetter) && m.storyIsLive() : m.storyEditing({ name: offsetter.name })}
      </p>
      <DraftNote draft={edit.formDraft} />
      <EditForm edit={edit} onDelete={() => setIsConfirmingDeletion(true)} />
      <LeaveDialog proceed={leaveGuard.proceed} stay={leaveGuard.stay} />
      {isConfirmingDeletion && (
        <ConfirmDialog
          title={m.storyDelete()}
          confirmLabel={m.deleteAction()}
          destructive
          onConfirm={edit.remove}
          onClose={() => setIsConfirmingDeletion(false)}
        >
          <p>{m.storyDeleteText({ name: offsetter.name })}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type EditFormProps = { edit: ReturnType<typeof useEditOffsetter>; onDelete: () => void };

function EditForm({ edit, onDelete }: EditFormProps) {
  const { offsetter } = edit;
  const { values, problems, error, progress, busy, change, errorOf, markTouched } = edit.form;
  const missingFields = formatMissingFields(problems);
  const missingFieldsId = useId();
  const note = getHiddenNote(offsetter);
  return (
    <FormCard
      title={m.storyFormTitle()}
      sending={busy}
      error={error}
      onSubmit={() => missingFields === '' && void edit.save()}
      progress={progress !== undefined && <UploadProgress fraction={progress} />}
      footer={
        <>
          {/* Stays focusable, so that screen readers describe the missing fields. */}
          <Button
            type="submit"
            kind="action"
            busy={busy}
            unavailable={missingFields !== ''}
            aria-describedby={missingFieldsId}
          >
            {busy ? m.saving() : m.save()}
          </Button>
          <Button kind="outline" disabled={busy} onClick={edit.cancel}>
            {m.cancel()}
          </Button>
          {edit.canDelete && (
            <Button kind="remove" onClick={onDelete}>
              <Icon name="trash" /> {m.deleteAction()}
            </Button>
          )}
          <MissingFields id={missingFieldsId} fields={missingFields} />
        </>
      }
    >
      {note !== undefined && <p className={styles.hiddenNote}>{note}</p>}
      <ProfileFields
        values={values}
        photo={values.file}
        problems={problems}
        savedPhoto={offsetter.photo ? findSmallest(offsetter.photo).url : undefined}
        errorOf={errorOf}
        onChange={change}
        onPhoto={(file) => change({ file })}
        onBlur={markTouched}
        hiddenProfileNote={m.storyWithoutPage()}
        story={{ rows: 10, placeholder: m.storyPlaceholder() }}
      />
    </FormCard>
  );
}

type Sources = { readonly url: string; readonly sources: readonly { url: string; width: number }[] };

function findSmallest({ url, sources }: Sources): { url: string } {
  return sources.toSorted((a, b) => a.width - b.width)[0] ?? { url };
}
