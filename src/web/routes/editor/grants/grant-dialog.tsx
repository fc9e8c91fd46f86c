import { useId, useState } from 'react';
import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { GRANT_FIELDS, GRANT_TEXT_MAXIMUM, MEASURES, METHODS } from '#domain/grant.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useDraft } from '#web/session/use-draft.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { DraftNote } from '../draft-note.tsx';
import { useToday } from '../use-dates.ts';
import {
  draftProblems,
  FIELD_LABELS,
  factsOf,
  GRANT_FORM,
  type GrantDraft,
  type GrantFormField,
  grantDraftOf,
  MEASURE_LABELS,
  METHOD_LABELS,
} from './grant-form.ts';
import styles from './grants.module.css';

type GrantDialogProps = {
  /** Undefined while it is being added. */
  grant: Grant | undefined;
  awardeeId: string;
  installers: readonly string[];
  onSave: (id: string, facts: BodyInput<'saveGrant'>) => Promise<void>;
  onClose: () => void;
};

/** Form for the facts of a grant. */
export function GrantDialog({ grant, awardeeId, installers, onSave, onClose }: GrantDialogProps) {
  const today = useToday();
  // The same id for every attempt: if a response is lost, trying again does not add the grant twice.
  const [id] = useState(() => grant?.id ?? crypto.randomUUID());
  const form = useForm<GrantDraft, GrantFormField>({
    initial: grantDraftOf(grant, today),
    fields: GRANT_FORM,
    problemsOf: (draft) => draftProblems(draft, today),
  });
  const { values, change, errorOf, fieldProps } = form;
  const saved = grantDraftOf(grant, today);
  const draft = useDraft({
    name: `grant-${grant?.id ?? awardeeId}`,
    values,
    saved,
    isUnsaved: JSON.stringify(values) !== JSON.stringify(saved),
    setValues: form.setValues,
  });
  const save = async () => {
    await onSave(id, factsOf(values, awardeeId));
    draft.clear();
  };
  const names = useId();
  const isInBooks = grant !== undefined && grant.entryid !== null;
  const textProps = (name: Exclude<GrantFormField, 'measures'>) => ({ autoComplete: 'off', ...fieldProps(name) });
  return (
    <FormDialog
      title={grant ? 'Edit grant' : 'Add a grant'}
      confirm="Save"
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <DraftNote draft={draft} />
      <TextField label="Applied on" type="date" {...textProps('appliedOn')} />
      <TextField
        label="Amount"
        prefix="$"
        inputMode="decimal"
        disabled={isInBooks}
        hint={
          isInBooks ? 'This amount is in the books. Undo the payment and cancel the promise to change it.' : undefined
        }
        {...textProps('amount')}
      />
      <CheckboxGroup
        legend="What it pays for"
        options={MEASURES}
        labels={MEASURE_LABELS}
        chosen={values.measures}
        error={errorOf('measures', values.measures.length === 0)}
        onChange={(measures) => change({ measures })}
      />
      <TextField
        label="Installer (optional)"
        maxLength={GRANT_TEXT_MAXIMUM}
        list={names}
        hint="Pick one from your Installers page to link it."
        {...textProps('installer')}
      />
      <datalist id={names}>
        {installers.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <div className={styles.pair}>
        <TextField label="Expected pounds of CO₂ per year" inputMode="decimal" {...textProps('yearlyPounds')} />
        <TextField label="For how many years" inputMode="numeric" {...textProps('years')} />
      </div>
      <SelectField
        label="How it was estimated"
        options={METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }))}
        value={values.method}
        onChange={({ currentTarget }) =>
          change({ method: METHODS.find((each) => each === currentTarget.value) ?? 'audit' })
        }
      />
      <TextField
        label="Source"
        maxLength={GRANT_TEXT_MAXIMUM}
        hint="The audit, the model or the publication, with its date."
        {...textProps('methodSource')}
      />
      <div className={styles.pair}>
        <TextField
          label="Other public funding (optional)"
          prefix="$"
          inputMode="decimal"
          hint="If there is any, only your share of the savings counts."
          {...textProps('otherFunding')}
        />
        <TextField label="From whom" maxLength={GRANT_TEXT_MAXIMUM} {...textProps('otherFundingSource')} />
      </div>
      {values.otherFunding.trim() !== '' && (
        <TextField
          label="Reason to count all of the savings (optional)"
          maxLength={GRANT_TEXT_MAXIMUM}
          hint="Only if no one else counts any of it. Donors can see this reason."
          {...textProps('fullSavingsReason')}
        />
      )}
      <CheckboxGroup
        legend="What the household agreed to show publicly"
        options={GRANT_FIELDS}
        labels={FIELD_LABELS}
        chosen={values.shown}
        onChange={(publishedFields) => change({ shown: publishedFields })}
      />
    </FormDialog>
  );
}

type ChecksProps<Value extends string> = {
  legend: string;
  options: readonly Value[];
  labels: Readonly<Record<Value, string>>;
  chosen: readonly Value[];
  error?: string | undefined;
  onChange: (chosen: readonly Value[]) => void;
};

/** Any number of a few options. */
function CheckboxGroup<Value extends string>({ legend, options, labels, chosen, error, onChange }: ChecksProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={id}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          checked={chosen.includes(option)}
          aria-invalid={error === undefined ? undefined : true}
          onChange={({ currentTarget }) =>
            onChange(options.filter((each) => (each === option ? currentTarget.checked : chosen.includes(each))))
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
