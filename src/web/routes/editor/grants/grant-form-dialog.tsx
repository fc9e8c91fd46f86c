import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { DraftNote } from '#web/session/unsaved-draft-note.tsx';
import { useDraft } from '#web/session/use-draft.ts';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { useToday } from '../use-dates.ts';
import {
  describePart,
  dropUnusedFunding,
  findDraftProblems,
  type GrantDraft,
  type GrantFormField,
  type GrantPart,
  hasConflict,
  mergePart,
  toGrantDraft,
  toGrantFacts,
} from './grant-draft.ts';
import { choicesQuery } from './route.ts';

export type GrantChange = {
  readonly id: string;
  readonly isNew: boolean;
  /**
   * Merges the form into the grant.
   * @param current the stored grant; undefined for a new one
   * @returns undefined if the form conflicts with a colleague's change, which the form then shows
   */
  readonly toBody: (current: Grant | undefined) => BodyInput<'saveGrant'> | undefined;
};

export type SaveProps = {
  /** @returns whether the change was saved */
  onSave: (change: GrantChange) => Promise<boolean>;
  onClose: () => void;
};

type GrantFormOptions = Pick<SaveProps, 'onSave'> & {
  orgId: string;
  grant: Grant | undefined;
  home?: string | undefined;
};

/** A form that edits some fields of a grant and leaves the others unchanged. */
export function useGrantForm(
  part: GrantPart,
  fields: readonly GrantFormField[],
  { orgId, grant, home, onSave }: GrantFormOptions,
) {
  const today = useToday();
  // Every attempt uses the same id, so that a retry after a lost response doesn't add the grant twice.
  const [id] = useState(() => grant?.id ?? crypto.randomUUID());
  const savedDraft = toGrantDraft(grant, today, home);
  const form = useForm<GrantDraft, GrantFormField>({
    initial: savedDraft,
    fields,
    validate: (draft) => findDraftProblems(draft, today, fields),
  });
  const { values, setValues } = form;
  const [base, setBase] = useState(savedDraft);
  const [newer, setNewer] = useState<GrantDraft>();
  const draft = useDraft({
    name: `grant-${orgId}-${part}-${grant?.id ?? home ?? 'new'}`,
    values,
    base,
    savedValues: savedDraft,
    isUnsaved: JSON.stringify(values) !== JSON.stringify(savedDraft),
    restore: (draftValues, draftBase) => {
      setValues(draftValues);
      setBase(draftBase);
    },
  });
  /** @param overwritten the version that the edit replaces */
  const save = async (overwritten: GrantDraft) => {
    const edited = dropUnusedFunding(values);
    const toBody = (current: Grant | undefined) => {
      const currentDraft = toGrantDraft(current, today, home);
      const facts = toGrantFacts(mergePart(part, currentDraft, edited));
      if (!current) return facts;
      if (!hasConflict(part, currentDraft, { base: overwritten, edited }))
        return { ...facts, basedOn: toGrantFacts(currentDraft) };
      setNewer(currentDraft);
      return undefined;
    };
    if (await onSave({ id, isNew: grant === undefined, toBody })) draft.clear();
  };
  return {
    part,
    form,
    draft,
    newer,
    save: () => save(base),
    keepEditing: () => setNewer(undefined),
    takeTheirs: (theirs: GrantDraft) => {
      setBase(theirs);
      setValues(mergePart(part, values, theirs));
      setNewer(undefined);
    },
    overwrite: async (theirs: GrantDraft) => {
      setBase(theirs);
      setNewer(undefined);
      await form.submit(() => save(theirs));
    },
  };
}

type GrantConflictProps = {
  orgId: string;
  edit: ReturnType<typeof useGrantForm>;
  /** The version that a colleague or another tab saved. */
  newer: GrantDraft;
};

/** Asks which version of the form's fields to keep. */
function GrantConflictDialog({ orgId, edit, newer }: GrantConflictProps) {
  const { data: awardees = [] } = useQuery(choicesQuery(useApi(), 'readAwardeesToEdit', orgId));
  const getAwardeeName = (id: string) => awardees.find((awardee) => awardee.id === id)?.name ?? id;
  return (
    <ConflictDialog
      subject="this grant"
      isOwn={undefined}
      theirText={describePart(edit.part, newer, getAwardeeName)}
      ownText={describePart(edit.part, edit.form.values, getAwardeeName)}
      keepEditingLabel="Back to my changes"
      takeTheirsLabel="Use the saved version"
      onKeepEditing={edit.keepEditing}
      onTakeTheirs={() => edit.takeTheirs(newer)}
      onOverwrite={() => void edit.overwrite(newer)}
    >
      It was saved after you opened the form, by a colleague or in another tab. Choose which version to keep. The other
      will be discarded.
    </ConflictDialog>
  );
}

type GrantFormDialogProps = Pick<GrantConflictProps, 'orgId' | 'edit'> & {
  title: string;
  onClose: () => void;
  children: ReactNode;
};

export function GrantFormDialog({ orgId, edit, title, onClose, children }: GrantFormDialogProps) {
  return (
    <>
      {edit.newer && <GrantConflictDialog orgId={orgId} edit={edit} newer={edit.newer} />}
      <FormDialog
        title={title}
        confirmLabel="Save"
        // Closing keeps the draft, so nothing is lost.
        form={{ ...edit.form, isUnsaved: false }}
        onSubmit={edit.save}
        onClose={onClose}
      >
        <DraftNote draft={edit.draft} />
        {children}
      </FormDialog>
    </>
  );
}
