import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import { GRANT_FIELDS, MAX_GRANT_TEXT_LENGTH, MEASURES, METHODS } from '#domain/grant.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { APPLICATION_FIELDS, SAVINGS_FIELDS } from './grant-draft.ts';
import { GrantFormDialog, type SaveProps, useGrantForm } from './grant-form-dialog.tsx';
import { FIELD_LABELS, MEASURE_LABELS, METHOD_LABELS } from './grant-labels.ts';
import styles from './grants.module.css';
import { type ChoiceCall, choicesQuery } from './route.ts';

type ApplicationDialogProps = SaveProps & {
  orgId: string;
  /** Undefined for a new grant. */
  grant: Grant | undefined;
  /** The household of a new grant, if known. */
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
      <InstallerField
        orgId={orgId}
        value={values.installer}
        error={errorOf('installer', false)}
        onChange={(installer) => change({ installer })}
      />
    </GrantFormDialog>
  );
}

type AwardeeFieldProps = {
  orgId: string;
  value: string;
  /** Name of the grant's household, which is listed even before the awardees are loaded. */
  awardee: string | undefined;
  disabled: boolean;
  error: string | undefined;
  onChange: (awardeeId: string) => void;
};

function AwardeeField({ orgId, value, awardee, disabled, error, onChange }: AwardeeFieldProps) {
  const { choices, options, problem } = useChoices('readAwardeesToEdit', orgId);
  const isMissing = awardee !== undefined && !choices.some(({ id }) => id === value);
  return (
    <>
      <SelectField
        label="Awardee"
        disabled={disabled}
        error={error}
        options={[
          { value: '', label: 'Choose a household' },
          ...(isMissing ? [{ value, label: awardee }] : []),
          ...options,
        ]}
        value={value}
        hint={
          disabled || problem ? undefined : (
            <>
              Not listed yet? Add the household under{' '}
              <Link to={pagePath('edit-awardees-page', { orgid: orgId })}>Awardees</Link>.
            </>
          )
        }
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {!disabled && problem}
    </>
  );
}

/** Loads the choices of a select. If loading fails, `problem` offers a retry. */
function useChoices(call: ChoiceCall, orgId: string) {
  const { data: choices = [], isPending, isLoadingError, refetch } = useQuery(choicesQuery(useApi(), call, orgId));
  return {
    choices,
    options: choices.map(({ id, name }) => ({ value: id, label: name })),
    isPending,
    problem: isLoadingError && <SectionStatus hasFailed onRetry={() => void refetch()} />,
  };
}

/** Values of select options that aren't an installer's id. */
const NO_INSTALLER = '';
const OTHER_INSTALLER = 'other';

/** Lists the installers that have a page. Other names can be typed in. */
function InstallerField({ orgId, value, error, onChange }: Omit<AwardeeFieldProps, 'awardee' | 'disabled'>) {
  const { choices: installers, options, isPending, problem } = useChoices('readInstallersToEdit', orgId);
  const installer = installers.find(({ name }) => name === value);
  const [isTyping, setIsTyping] = useState(false);
  const isOther = !isPending && (isTyping || (value !== '' && !installer));
  return (
    <>
      <SelectField
        label="Installer (optional)"
        options={[
          { value: NO_INSTALLER, label: 'Not chosen yet' },
          ...options,
          { value: OTHER_INSTALLER, label: 'Another installer' },
        ]}
        value={isOther ? OTHER_INSTALLER : (installer?.id ?? NO_INSTALLER)}
        error={isOther ? undefined : error}
        onChange={({ currentTarget }) => {
          setIsTyping(currentTarget.value === OTHER_INSTALLER);
          onChange(installers.find(({ id }) => id === currentTarget.value)?.name ?? '');
        }}
      />
      {problem}
      {isOther && (
        <TextField
          label="Name of the installer"
          maxLength={MAX_GRANT_TEXT_LENGTH}
          autoComplete="off"
          value={value}
          error={error}
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
      <p>The pounds saved are shown only with the amount, because they would reveal it.</p>
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
