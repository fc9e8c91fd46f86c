import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { GRANT_FIELDS, MAX_GRANT_TEXT_LENGTH, MEASURES, METHODS } from '#domain/grant.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { useDraft } from '#web/session/use-draft.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { DraftNote } from '../unsaved-draft-note.tsx';
import { useToday } from '../use-dates.ts';
import {
  APPLICATION_FIELDS,
  describePart,
  FIELD_LABELS,
  findDraftProblems,
  type GrantDraft,
  type GrantFormField,
  type GrantPart,
  hasConflict,
  MEASURE_LABELS,
  METHOD_LABELS,
  mergePart,
  SAVINGS_FIELDS,
  toGrantDraft,
  toGrantFacts,
} from './grant-form.ts';
import styles from './grants.module.css';
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

type SaveProps = {
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
function useGrantForm(
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
  const [newerDraft, setNewerDraft] = useState<GrantDraft>();
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
    const toBody = (current: Grant | undefined) => {
      const currentDraft = toGrantDraft(current, today, home);
      const facts = toGrantFacts(mergePart(part, currentDraft, values));
      if (!current) return facts;
      if (!hasConflict(part, currentDraft, { base: overwritten, edited: values }))
        return { ...facts, basedOn: toGrantFacts(currentDraft) };
      setNewerDraft(currentDraft);
      return undefined;
    };
    if (await onSave({ id, isNew: grant === undefined, toBody })) draft.clear();
  };
  return {
    part,
    form,
    draft,
    newerDraft,
    save: () => save(base),
    keepWriting: () => setNewerDraft(undefined),
    takeTheirs: (newer: GrantDraft) => {
      setBase(newer);
      setValues(mergePart(part, values, newer));
      setNewerDraft(undefined);
    },
    saveMine: async (newer: GrantDraft) => {
      setBase(newer);
      setNewerDraft(undefined);
      await form.submit(() => save(newer));
    },
  };
}

type GrantConflictProps = {
  orgId: string;
  edit: ReturnType<typeof useGrantForm>;
  /** The version that a colleague or another tab saved. */
  newerDraft: GrantDraft;
};

/** Asks which version of the form's fields to keep. */
function GrantConflictDialog({ orgId, edit, newerDraft }: GrantConflictProps) {
  const { data: awardees = [] } = useQuery(choicesQuery(useApi(), 'readAwardeesToEdit', orgId));
  const getAwardeeName = (id: string) => awardees.find((awardee) => awardee.id === id)?.name ?? id;
  return (
    <ConflictDialog
      subject="this grant"
      isOwn={undefined}
      theirText={describePart(edit.part, newerDraft, getAwardeeName)}
      ownText={describePart(edit.part, edit.form.values, getAwardeeName)}
      keepWritingLabel="Back to my changes"
      takeTheirsLabel="Use the saved version"
      onKeepWriting={edit.keepWriting}
      onTakeTheirs={() => edit.takeTheirs(newerDraft)}
      onSaveMine={() => void edit.saveMine(newerDraft)}
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

function GrantFormDialog({ orgId, edit, title, onClose, children }: GrantFormDialogProps) {
  return (
    <>
      {edit.newerDraft && <GrantConflictDialog orgId={orgId} edit={edit} newerDraft={edit.newerDraft} />}
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

type ApplicationDialogProps = SaveProps & {
  orgId: string;
  /** Undefined for a new grant. */
  grant: Grant | undefined;
  /** The household of a new grant, if it is known. */
  home: string | undefined;
};

/** Form for an application: the household, amount, and measures. */
export function ApplicationDialog({ orgId, grant, home, onSave, onClose }: ApplicationDialogProps) {
  const edit = useGrantForm('application', APPLICATION_FIELDS, { orgId, grant, home, onSave });
  const { values, change, errorOf, fieldProps } = edit.form;
  const isInBooks = grant !== undefined && grant.entryid !== null;
  return (
    <GrantFormDialog orgId={orgId} edit={edit} title={grant ? 'Edit grant' : 'Add a grant'} onClose={onClose}>
      <AwardeeField
        orgId={orgId}
        value={values.awardeeid}
        awardee={grant?.awardee}
        disabled={isInBooks}
        error={errorOf('awardeeid', false)}
        onChange={(awardeeid) => change({ awardeeid })}
      />
      <TextField label="Applied on" type="date" autoComplete="off" {...fieldProps('appliedOn')} />
      <TextField
        label="Amount"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        disabled={isInBooks}
        hint={
          isInBooks ? 'This amount is in the books. Undo the payment and cancel the promise to change it.' : undefined
        }
        {...fieldProps('amount')}
      />
      <CheckboxGroup
        legend="What it pays for"
        options={MEASURES}
        labels={MEASURE_LABELS}
        selected={values.measures}
        error={errorOf('measures', values.measures.length === 0)}
        onChange={(measures) => change({ measures })}
      />
      <InstallerField orgId={orgId} value={values.installer} onChange={(installer) => change({ installer })} />
    </GrantFormDialog>
  );
}

type AwardeeFieldProps = {
  orgId: string;
  value: string;
  /** Name of the grant's household, which is listed until all awardees are loaded. */
  awardee: string | undefined;
  disabled: boolean;
  error: string | undefined;
  onChange: (awardeeId: string) => void;
};

function AwardeeField({ orgId, value, awardee, disabled, error, onChange }: AwardeeFieldProps) {
  const { data: awardees = [] } = useQuery(choicesQuery(useApi(), 'readAwardeesToEdit', orgId));
  const choices = awardees.map(({ id, name }) => ({ value: id, label: name }));
  const isMissing = awardee !== undefined && !choices.some((choice) => choice.value === value);
  return (
    <SelectField
      label="Awardee"
      disabled={disabled}
      error={error}
      options={[
        { value: '', label: 'Choose a household' },
        ...(isMissing ? [{ value, label: awardee }] : []),
        ...choices,
      ]}
      value={value}
      hint={
        disabled ? undefined : (
          <>
            Not listed yet? Add the household under{' '}
            <Link to={pagePath('edit-awardees-page', { orgid: orgId })}>Awardees</Link>.
          </>
        )
      }
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Select options that aren't an installer's id. */
const NO_INSTALLER = '';
const OTHER_INSTALLER = 'other';

/** Lists the installers with a page. Other names can be typed. */
function InstallerField({ orgId, value, onChange }: Pick<AwardeeFieldProps, 'orgId' | 'value' | 'onChange'>) {
  const { data: installers = [], isPending } = useQuery(choicesQuery(useApi(), 'readInstallersToEdit', orgId));
  const installer = installers.find(({ name }) => name === value);
  const [isTyping, setIsTyping] = useState(false);
  const isOther = !isPending && (isTyping || (value !== '' && !installer));
  return (
    <>
      <SelectField
        label="Installer (optional)"
        options={[
          { value: NO_INSTALLER, label: 'Not chosen yet' },
          ...installers.map(({ id, name }) => ({ value: id, label: name })),
          { value: OTHER_INSTALLER, label: 'Another installer' },
        ]}
        value={isOther ? OTHER_INSTALLER : (installer?.id ?? NO_INSTALLER)}
        onChange={({ currentTarget }) => {
          setIsTyping(currentTarget.value === OTHER_INSTALLER);
          onChange(installers.find(({ id }) => id === currentTarget.value)?.name ?? '');
        }}
      />
      {isOther && (
        <TextField
          label="Name of the installer"
          maxLength={MAX_GRANT_TEXT_LENGTH}
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </>
  );
}

type PartDialogProps = SaveProps & { orgId: string; grant: Grant };

/** Form for the expected savings, which a promise and a payment require. */
export function SavingsDialog({ orgId, grant, onSave, onClose }: PartDialogProps) {
  const edit = useGrantForm('savings', SAVINGS_FIELDS, { orgId, grant, onSave });
  const { values, change, fieldProps } = edit.form;
  const getTextProps = (name: (typeof SAVINGS_FIELDS)[number]) => ({ autoComplete: 'off', ...fieldProps(name) });
  return (
    <GrantFormDialog orgId={orgId} edit={edit} title="Expected savings" onClose={onClose}>
      <div className={styles.pair}>
        <TextField label="Expected pounds of CO₂ per year" inputMode="decimal" {...getTextProps('yearlyPounds')} />
        <TextField label="For how many years" inputMode="numeric" {...getTextProps('years')} />
      </div>
      <SelectField
        label="How it was estimated"
        options={METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }))}
        value={values.method}
        onChange={({ currentTarget }) =>
          change({ method: METHODS.find((method) => method === currentTarget.value) ?? 'audit' })
        }
      />
      <TextField
        label="Source"
        maxLength={MAX_GRANT_TEXT_LENGTH}
        hint="The audit, model, or publication, with its date."
        {...getTextProps('methodSource')}
      />
      <div className={styles.pair}>
        <TextField
          label="Other public funding (optional)"
          prefix="$"
          inputMode="decimal"
          hint="If there is any, only your share of the savings counts."
          {...getTextProps('otherFunding')}
        />
        <TextField label="Funding source" maxLength={MAX_GRANT_TEXT_LENGTH} {...getTextProps('otherFundingSource')} />
      </div>
      {values.otherFunding.trim() !== '' && (
        <TextField
          label="Reason to count all of the savings (optional)"
          maxLength={MAX_GRANT_TEXT_LENGTH}
          hint="Only if no one else counts any of it. Donors can see this reason."
          {...getTextProps('fullSavingsReason')}
        />
      )}
    </GrantFormDialog>
  );
}

/** Form for the fields that the household agreed to publish. */
export function PublicFieldsDialog({ orgId, grant, onSave, onClose }: PartDialogProps) {
  const edit = useGrantForm('publicFields', [], { orgId, grant, onSave });
  return (
    <GrantFormDialog orgId={orgId} edit={edit} title="What the public sees" onClose={onClose}>
      <CheckboxGroup
        legend="What the household agreed to show publicly"
        options={GRANT_FIELDS}
        labels={FIELD_LABELS}
        selected={edit.form.values.publicFields}
        onChange={(publishedFields) => edit.form.change({ publicFields: publishedFields })}
      />
    </GrantFormDialog>
  );
}

type CheckboxGroupProps<Value extends string> = {
  legend: ReactNode;
  options: readonly Value[];
  labels: Readonly<Record<Value, string>>;
  selected: readonly Value[];
  error?: string | undefined;
  onChange: (selected: readonly Value[]) => void;
};

/** Checkboxes for options that can be combined. */
function CheckboxGroup<Value extends string>({
  legend,
  options,
  labels,
  selected,
  error,
  onChange,
}: CheckboxGroupProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={id}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          checked={selected.includes(option)}
          aria-invalid={error === undefined ? undefined : true}
          onChange={({ currentTarget }) =>
            onChange(options.filter((other) => (other === option ? currentTarget.checked : selected.includes(other))))
          }
        >
          {labels[option]}
        </Checkbox>
      ))}
      <Problem tone="field" id={id}>
        {error}
      </Problem>
    </fieldset>
  );
}
