import { type ChangeEvent, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { POUNDS_PER_TON, SPECIFIED_FACTORS } from '#domain/emissions.ts';
import { exampleEffect, FACTOR_EXAMPLES } from '#domain/factor-examples.ts';
import {
  CUSTOMIZABLE_FACTORS,
  type CustomizableFactor,
  completeSet,
  describeChanges,
  type FactorChoice,
  factorTitle,
  factorUnit,
  MAX_FACTOR_REASON_LENGTH,
  SPECIFIED_SET,
  withValues,
} from '#domain/factor-sets.ts';
import { formatCents, formatWhole } from '#domain/money.ts';
import type { ApiClient } from '#web/api/client.ts';
import { FormCard } from '#web/forms/form-card.tsx';
import { useFieldErrors, useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/navigation/link.tsx';
import { useDraft } from '#web/session/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { describeSaveStatus } from '../describe-save-status.ts';
import { FactorConflicts } from './factor-conflicts.tsx';
import {
  type CustomFactorDraft,
  type CustomFactorField,
  DEFAULT_TON_PRICE,
  EMPTY_CUSTOM_FACTOR,
  type FactorsDraft,
  findCustomFactorProblems,
  findTonPriceProblem,
  REGION_OPTIONS,
  toFactorChoice,
  toFactorsDraft,
} from './factors-draft.ts';
import styles from './org.module.css';

type FactorsFormProps = { org: Org; form: ReturnType<typeof useFactors> };

/** Form for the organization's factor set, with a preview of the effects of a change. */
export function FactorsForm({ org, form }: FactorsFormProps) {
  const { draft, change, preview, busy, error, status } = form;
  return (
    <FormCard
      title="Calculator factors"
      sending={busy}
      error={error}
      onSubmit={() => void form.save()}
      footer={
        <>
          <Button type="submit" kind="action" busy={busy} unavailable={!form.canSave}>
            {busy ? 'Saving…' : 'Save factors'}
          </Button>
          <p className={styles.status}>{status}</p>
        </>
      }
    >
      <p className={styles.lead}>
        Version {form.currentSet.version}. <Link to={pagePath('numbers-page', { orgid: org.id })}>Our numbers</Link>{' '}
        shows these factors and earlier versions to everyone. Past gifts don’t change. Open carts are repriced.
      </p>
      <PublishedFactorFields draft={draft} change={change} />
      <TextField
        label="Price of a ton (optional)"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        placeholder={String(DEFAULT_TON_PRICE)}
        value={draft.dollarsPerTon}
        hint={`The cost of offsetting 2,000 pounds. Leave blank for $${DEFAULT_TON_PRICE}.`}
        error={findTonPriceProblem(draft.dollarsPerTon)}
        onChange={({ currentTarget }) => change({ dollarsPerTon: currentTarget.value })}
      />
      <CustomFactors
        customFactors={draft.customFactors}
        thisYear={form.thisYear}
        onChange={(customFactors) => change({ customFactors })}
      />
      <FactorConflicts set={form.currentSet} />
      {preview && <FactorPreview before={form.currentSet} after={preview} />}
      {form.isChanged && (
        <TextArea
          label="Reason for the change"
          rows={3}
          required
          maxLength={MAX_FACTOR_REASON_LENGTH}
          value={draft.reason}
          hint="In your words. Everyone can read it on Our numbers."
          onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
        />
      )}
    </FormCard>
  );
}

/** @param onSaved reloads the organization */
export function useFactors(api: ApiClient, org: Org, onSaved: () => void) {
  const savedDraft = toFactorsDraft(org.factors);
  const form = useForm<FactorsDraft, never>({ initial: savedDraft, fields: [] });
  const { values: draft, setValues, submit, change, busy, error } = form;
  const [thisYear] = useState(() => new Date().getFullYear());
  const currentSet = completeSet(org.factors);
  const choice = toFactorChoice(draft, thisYear);
  const isChanged = !isSame({ ...draft, reason: '' }, savedDraft);
  const formDraft = useDraft({
    name: `factors-${org.id}`,
    values: draft,
    base: savedDraft,
    savedValues: savedDraft,
    isUnsaved: isChanged,
    // The preview shows all differences from the current factors, even if they have changed since.
    restore: (values) => setValues(values),
  });
  const preview = choice && isChanged ? createPreview(choice) : undefined;
  const reason = draft.reason.trim();
  const canSave = preview !== undefined && reason !== '';
  const save = async () => {
    if (!canSave || !choice) return;
    const body = { choice, reason, baseVersion: currentSet.version };
    const response = await submit(() => api.call('chooseFactors', { params: { orgid: org.id }, body }));
    if (!response) return;
    setValues(toFactorsDraft(response.result));
    formDraft.clear();
    onSaved();
  };
  return {
    draft,
    formDraft,
    currentSet,
    isChanged,
    preview,
    canSave,
    save,
    thisYear,
    change,
    busy,
    error,
    status: describeStatus({ isChanged, isComplete: choice !== undefined, reason }),
  };
}

function createPreview(choice: FactorChoice) {
  return withValues({ version: '', choice });
}

function isSame(a: FactorsDraft, b: FactorsDraft): boolean {
  const serialize = ({ customFactors, ...rest }: FactorsDraft) =>
    JSON.stringify([
      ...[rest.fuels, rest.flights, rest.region, rest.dollarsPerTon.trim()],
      ...CUSTOMIZABLE_FACTORS.map((name) => [
        customFactors[name]?.value,
        customFactors[name]?.publisher,
        customFactors[name]?.year,
        customFactors[name]?.address,
      ]),
    ]);
  return serialize(a) === serialize(b);
}

type Status = { readonly isChanged: boolean; readonly isComplete: boolean; readonly reason: string };

function describeStatus({ isChanged, isComplete, reason }: Status): string {
  if (!isChanged) return describeSaveStatus(isChanged);
  if (!isComplete) return 'Please cite the source: publisher, year, and web address.';
  return reason === '' ? 'Please say why.' : 'Not saved yet. The table above shows what changes.';
}

type PublishedFactorFieldsProps = { draft: FactorsDraft; change: (part: Partial<FactorsDraft>) => void };

function PublishedFactorFields({ draft, change }: PublishedFactorFieldsProps) {
  const handleSelect =
    <Name extends 'fuels' | 'flights' | 'region'>(name: Name) =>
    ({ currentTarget }: ChangeEvent<HTMLSelectElement>) =>
      // Each option's value has this type, so the cast is safe.
      change({ [name]: currentTarget.value as FactorsDraft[Name] });
  const { carFuel, air, electricity } = SPECIFIED_FACTORS.factors;
  return (
    <>
      <SelectField
        label="Fuels"
        options={[
          { value: '', label: `Default: gasoline ${carFuel.value} lb per gallon` },
          { value: 'epa', label: 'EPA, 2025: gasoline 19.36, propane 12.61, gas 11.70, oil 22.51' },
          { value: 'eia', label: 'EIA, 2016: gasoline 19.60, propane 12.70, gas 11.70, oil 22.40' },
        ]}
        value={draft.fuels}
        onChange={handleSelect('fuels')}
      />
      <SelectField
        label="Flights"
        options={[
          { value: '', label: `Default: ${air.value} lb per mile for flights of any length` },
          { value: 'epa', label: 'EPA, 2025, by length: 0.456, 0.284, 0.359 lb a mile' },
        ]}
        value={draft.flights}
        onChange={handleSelect('flights')}
      />
      <SelectField
        id="electricity"
        label="Electricity"
        options={[
          { value: '', label: `Default: ${electricity.value} lb per kWh, upstate New York in 2021` },
          { label: 'EPA eGRID2023: your grid region', options: REGION_OPTIONS },
        ]}
        value={draft.region}
        hint="Find your state. If it has several regions, ask your electric company which one is yours."
        onChange={handleSelect('region')}
      />
    </>
  );
}

type CustomFactorsProps = {
  customFactors: FactorsDraft['customFactors'];
  thisYear: number;
  onChange: (customFactors: FactorsDraft['customFactors']) => void;
};

/** Factors that the organization overrides. Each requires a source. */
function CustomFactors({ customFactors, thisYear, onChange }: CustomFactorsProps) {
  const enteredNames = CUSTOMIZABLE_FACTORS.filter((name) => customFactors[name]);
  const missingNames = CUSTOMIZABLE_FACTORS.filter((name) => !customFactors[name]);
  const setCustomFactor = (name: CustomizableFactor, customFactor: CustomFactorDraft | undefined) => {
    const { [name]: _previous, ...rest } = customFactors;
    onChange(customFactor ? { ...rest, [name]: customFactor } : rest);
  };
  return (
    <fieldset className={styles.section}>
      <legend>Override a factor</legend>
      <p className={styles.lead}>Replace a number above with your own. Cite your source.</p>
      {enteredNames.map((name) => (
        <CustomFactorFields
          key={name}
          name={name}
          customFactor={customFactors[name] ?? EMPTY_CUSTOM_FACTOR}
          thisYear={thisYear}
          onChange={(customFactor) => setCustomFactor(name, customFactor)}
        />
      ))}
      <SelectField
        label="Override the factor for"
        options={[
          { value: '', label: 'Choose…' },
          ...missingNames.map((name) => ({ value: name, label: `${factorTitle(name)} (${factorUnit(name)})` })),
        ]}
        value=""
        onChange={({ currentTarget: { value } }) => {
          const name = missingNames.find((other) => other === value);
          if (name) setCustomFactor(name, EMPTY_CUSTOM_FACTOR);
        }}
      />
    </fieldset>
  );
}

const CUSTOM_FACTOR_LABELS: Readonly<Record<CustomFactorField, string>> = {
  value: 'Number',
  publisher: 'Publisher',
  year: 'Year',
  address: 'Web address',
};

type CustomFactorFieldsProps = {
  name: CustomizableFactor;
  customFactor: CustomFactorDraft;
  thisYear: number;
  /** Undefined removes the override. */
  onChange: (customFactor: CustomFactorDraft | undefined) => void;
};

function CustomFactorFields({ name, customFactor, thisYear, onChange }: CustomFactorFieldsProps) {
  const { errorOf, markTouched } = useFieldErrors(findCustomFactorProblems(name, customFactor, thisYear));
  const title = factorTitle(name);
  const fields = Object.keys(CUSTOM_FACTOR_LABELS) as CustomFactorField[];
  return (
    <fieldset className={styles.own}>
      <legend>
        {title} <small>{factorUnit(name)}</small>
      </legend>
      {fields.map((field) => (
        <TextField
          key={field}
          label={CUSTOM_FACTOR_LABELS[field]}
          autoComplete="off"
          required
          inputMode={field === 'value' || field === 'year' ? 'decimal' : field === 'address' ? 'url' : 'text'}
          value={customFactor[field]}
          error={errorOf(field)}
          onBlur={() => markTouched(field)}
          onChange={({ currentTarget }) => onChange({ ...customFactor, [field]: currentTarget.value })}
        />
      ))}
      <p className={styles.hint}>
        The default is {SPECIFIED_SET.factors[name].value} {factorUnit(name)}.
      </p>
      <Button
        kind="quiet"
        className={styles.correct}
        onClick={() => onChange(undefined)}
        aria-label={`Remove ${title}`}
      >
        Remove
      </Button>
    </fieldset>
  );
}

type PreviewProps = { before: typeof SPECIFIED_FACTORS; after: typeof SPECIFIED_FACTORS };

/** Sample trips and homes, computed before and after the change. */
function FactorPreview({ before, after }: PreviewProps) {
  const changes = describeChanges(before, after);
  return (
    <section className={styles.section} aria-labelledby="effect">
      <h3 id="effect">What changes</h3>
      <p className={styles.lead}>{changes.length === 0 ? 'No change.' : `${changes.join('; ')}.`}</p>
      <table className={styles.effect} aria-labelledby="effect">
        <thead>
          <tr>
            <th scope="col">Example</th>
            <th scope="col">Now</th>
            <th scope="col">After</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {FACTOR_EXAMPLES.map((example) => {
            const [oldEffect, newEffect] = [exampleEffect(example, before), exampleEffect(example, after)];
            return (
              <tr key={example.text()}>
                <th scope="row">{example.text()}</th>
                <EffectCell {...oldEffect} />
                <EffectCell {...newEffect} />
                <td>
                  {formatDifference(oldEffect.carbon, newEffect.carbon, (carbon) => `${formatWhole(carbon)} lb`)}{' '}
                  <small>{formatDifference(oldEffect.charge, newEffect.charge, formatCents)}</small>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles.hint}>
        A ton of {formatWhole(POUNDS_PER_TON)} pounds costs {formatTonPrice(before)} now and will cost{' '}
        {formatTonPrice(after)}.
      </p>
    </section>
  );
}

function EffectCell({ carbon, charge }: ReturnType<typeof exampleEffect>) {
  return (
    <td>
      {formatWhole(carbon)} lb <small>{formatCents(charge)}</small>
    </td>
  );
}

function formatTonPrice({ factors }: typeof SPECIFIED_FACTORS): string {
  return formatCents(Math.round(Number(factors.carbonPrice.value) * POUNDS_PER_TON * 100));
}

/** "+117 lb (7.1%)", "−$5.89 (29%)", "the same" */
function formatDifference(before: number, after: number, formatAmount: (amount: number) => string): string {
  if (before === after) return 'the same';
  const percent = Math.abs(after / before - 1) * 100;
  return `${after < before ? '−' : '+'}${formatAmount(Math.abs(after - before))} (${percent.toFixed(percent < 10 ? 1 : 0)}%)`;
}
