import { type ReactNode, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CartItem } from '#domain/cart.ts';
import { drivingMiles } from '#domain/distance.ts';
import type { OffsetType, QuickEstimate, QuickTime } from '#domain/emissions.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { type Choice, ChoiceGroup } from '#web/ui/choice.tsx';
import { NumberField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { ComputationDetails } from '../numbers/computation-details.tsx';
import { CalculateForm } from './calculate-form.tsx';
import styles from './calculator.module.css';
import { type CalculatorOrg, estimateTab, type LazyFields, type TabInput } from './calculator-input.ts';
import { CAR_DEFAULTS, type CarFields } from './estimates.ts';
import {
  countsAsZero,
  estimateCar,
  estimateHome,
  estimateQuick,
  HOME_FIELDS,
  type HomeForm,
  isHomeFilled,
} from './lazy-estimates.ts';
import { type CalculatorProps, TripForm } from './trip-calculator.tsx';

/** Re-exported so it loads in the same chunk. */
export { parseEntries, serializeEntries } from './saved-entries.ts';

type Calculators = {
  readonly [Name in keyof LazyFields]: {
    readonly defaultFields: LazyFields[Name];
    readonly Form: (props: CalculatorProps<LazyFields[Name]>) => ReactNode;
  };
};

/** The calculators that load when a visitor hovers over or focuses the card. */
const CALCULATORS: Calculators = {
  car: { defaultFields: CAR_DEFAULTS, Form: CarCalculator },
  home: { defaultFields: { propane: '', electricity: '', gas: '', oil: '' }, Form: HomeEnergyCalculator },
  quick: { defaultFields: { type: 'car', time: 'year' }, Form: QuickCalculator },
};

type LazyCalculatorProps<Name extends keyof LazyFields> = Omit<
  CalculatorProps<Partial<LazyFields>>,
  'onItem' | 'factors'
> & {
  org: CalculatorOrg;
  name: Name;
  onItem: (item: CartItem, fields: LazyFields[Name]) => void;
};

/** One of the calculators. Its fields survive a tab change. */
export function LazyCalculator<Name extends keyof LazyFields>(props: LazyCalculatorProps<Name>) {
  const { org, name, fields, onFields, cityPicker, onItem, onCancel } = props;
  const { defaultFields, Form } = CALCULATORS[name];
  const currentFields = fields[name] ?? defaultFields;
  const input = { tab: name, fields: currentFields } as TabInput;
  return (
    <>
      <Form
        fields={currentFields}
        factors={org.factors}
        onFields={(change) =>
          onFields((previous) => ({ ...previous, [name]: change(previous[name] ?? defaultFields) }))
        }
        cityPicker={cityPicker}
        onItem={(item) => onItem(item, currentFields)}
        onCancel={onCancel}
      />
      {estimateTab(input, org.factors).item && <EstimateDetails key={name} org={org} input={input} />}
      {name === 'quick' && (
        <p className={styles.group}>
          <RichText
            text={m.homeGroup()}
            tags={{ group: (words) => <Link to={pagePath('group-page', { orgid: org.id })}>{words}</Link> }}
          />
        </p>
      )}
    </>
  );
}

/** "How is this computed?" below the estimate of a tab. */
export function EstimateDetails({ org, input }: { org: CalculatorOrg; input: TabInput }) {
  return <ComputationDetails>{({ TabExplanation }) => <TabExplanation org={org} input={input} />}</ComputationDetails>;
}

/** A drive: miles / mpg × 39.28 lb (§2, §9). */
function CarCalculator(props: CalculatorProps<CarFields>) {
  const { trip, mpg, roundtrip } = props.fields;
  const estimate = estimateCar({ miles: trip.miles, mpg, roundtrip }, props.factors);
  return (
    <TripForm {...props} estimate={estimate} milesProblem={estimate.problems.miles} measure={drivingMiles}>
      <NumberField
        label={m.milesPerGallon()}
        value={mpg}
        onChange={({ currentTarget: { value } }) => props.onFields((previous) => ({ ...previous, mpg: value }))}
        error={estimate.problems.mpg}
      />
    </TripForm>
  );
}

/** One filled field enables the button (§4). Pressing it without an item shows why nothing was added. */
function HomeEnergyCalculator({ fields: form, factors, onFields, onItem, onCancel }: CalculatorProps<HomeForm>) {
  const [showsProblem, setShowsProblem] = useState(false);
  const estimate = estimateHome(form, factors);
  const problem = estimate.problem ?? Object.values(estimate.problems)[0];
  return (
    <CalculateForm
      estimate={estimate}
      hint={m.calculatorHomeHint()}
      enabled={isHomeFilled(form)}
      onItem={onItem}
      onCancel={onCancel}
      onMissingItem={() => setShowsProblem(true)}
    >
      <div className={styles.fields}>
        {HOME_FIELDS.map(({ name, label, unit }) => (
          <NumberField
            key={name}
            label={`${label} (${unit})`}
            value={form[name]}
            onChange={({ currentTarget: { value } }) => {
              setShowsProblem(false);
              onFields((previous) => ({ ...previous, [name]: value }));
            }}
            hint={countsAsZero(form[name]) ? m.calculatorZero() : undefined}
            error={estimate.problems[name]}
          />
        ))}
      </div>
      {showsProblem && problem && (
        <Problem tone="field" className={styles.submitProblem}>
          {estimate.problem ? m.calculatorNothingAdded() : problem}
        </Problem>
      )}
    </CalculateForm>
  );
}

const TYPES: readonly Choice<OffsetType>[] = [
  { value: 'car', label: m.tabCar() },
  { value: 'home', label: m.tabHome() },
  { value: 'air', label: m.tabAir() },
];
const TIMES: readonly Choice<QuickTime>[] = [
  { value: 'year', label: m.quickYear() },
  { value: 'quarter', label: m.quickQuarter() },
  { value: 'monthly', label: m.quickMonthly() },
];

/** Estimates for an average car, home, or flying habit, for visitors without exact numbers (§2, §9). */
function QuickCalculator({ fields: choice, factors, onFields, onItem, onCancel }: CalculatorProps<QuickEstimate>) {
  return (
    <CalculateForm estimate={estimateQuick(choice, factors)} hint="" onItem={onItem} onCancel={onCancel}>
      <div className={styles.choices}>
        <ChoiceGroup
          legend={m.quickWhat()}
          options={TYPES}
          value={choice.type}
          onChange={(type) => onFields((previous) => ({ ...previous, type }))}
        />
        <ChoiceGroup
          legend={m.quickPeriod()}
          options={TIMES}
          value={choice.time}
          onChange={(time) => onFields((previous) => ({ ...previous, time }))}
        />
      </div>
    </CalculateForm>
  );
}
