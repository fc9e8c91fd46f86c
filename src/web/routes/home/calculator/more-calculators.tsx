import { useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { drivingMiles } from '#domain/distance.ts';
import type { QuickEstimate, QuickTime, QuickType } from '#domain/emissions.ts';
import { type Choice, ChoiceGroup } from '#web/ui/choice.tsx';
import { NumberField } from '#web/ui/field.tsx';
import { CalculateForm } from './calculate-form.tsx';
import styles from './calculator.module.css';
import { carEstimate } from './estimates.ts';
import {
  countsAsZero,
  HOME_FIELDS,
  type HomeField,
  type HomeForm,
  homeEstimate,
  isHomeFilled,
  quickEstimate,
} from './home-estimate.ts';
import { type TripCalculatorProps, TripForm, type TripFormFields } from './trip-calculator.tsx';

export type CarFields = TripFormFields & { readonly mpg: string };

/** A drive: miles / mpg × 39.28 lb (§2, §9). */
export function CarCalculator(props: TripCalculatorProps<CarFields>) {
  const { trip, mpg, roundtrip } = props.fields;
  const estimate = carEstimate({ miles: trip.miles, mpg, roundtrip });
  return (
    <TripForm {...props} estimate={estimate} milesProblem={estimate.problems.miles} measure={drivingMiles}>
      <NumberField
        label="Miles per gallon"
        value={mpg}
        onChange={({ currentTarget: { value } }) => props.onFields((before) => ({ ...before, mpg: value }))}
        error={estimate.problems.mpg}
      />
    </TripForm>
  );
}

const LABELS: Record<HomeField, { readonly label: string; readonly unit: string }> = {
  propane: { label: 'Propane', unit: 'gallons' },
  electricity: { label: 'Electricity', unit: 'kWh' },
  gas: { label: 'Natural gas', unit: 'therms' },
  oil: { label: 'Fuel oil', unit: 'gallons' },
};

type HomeEnergyCalculatorProps = {
  form: HomeForm;
  onForm: (form: HomeForm) => void;
  onItem: (item: CartItem) => void;
};

/** One filled field enables the button (§4); pressing it with nothing to offset shows why nothing was added. */
export function HomeEnergyCalculator({ form, onForm, onItem }: HomeEnergyCalculatorProps) {
  const [refused, setRefused] = useState(false);
  const estimate = homeEstimate(form);
  const problem = estimate.problem ?? Object.values(estimate.problems)[0];
  return (
    <CalculateForm
      estimate={estimate}
      hint="Fill in what you use, from your bills – for a month, a year, any period."
      enabled={isHomeFilled(form)}
      onItem={onItem}
      onNothing={() => setRefused(true)}
    >
      <div className={styles.fields}>
        {HOME_FIELDS.map((field) => (
          <NumberField
            key={field}
            label={`${LABELS[field].label} (${LABELS[field].unit})`}
            value={form[field]}
            onChange={({ currentTarget }) => {
              setRefused(false);
              onForm({ ...form, [field]: currentTarget.value });
            }}
            hint={countsAsZero(form[field]) ? 'Not a number, so it counts as 0.' : undefined}
            error={estimate.problems[field]}
          />
        ))}
      </div>
      {refused && problem && (
        <p role="alert" className={styles.refused}>
          {estimate.problem ? 'Nothing was added to your cart: these amounts come to 0 lbs of carbon.' : problem}
        </p>
      )}
    </CalculateForm>
  );
}

const TYPES: readonly Choice<QuickType>[] = [
  { value: 'car', label: 'Car' },
  { value: 'home', label: 'Home' },
  { value: 'air', label: 'Air' },
];
const TIMES: readonly Choice<QuickTime>[] = [
  { value: 'year', label: 'Year' },
  { value: 'quarter', label: 'Quarter' },
  { value: 'monthly', label: 'Monthly' },
];

type QuickCalculatorProps = {
  choice: QuickEstimate;
  onChoice: (choice: QuickEstimate) => void;
  onItem: (item: CartItem) => void;
};

/** An average car, home or flying habit, for visitors without numbers at hand (§2, §9). */
export function QuickCalculator({ choice, onChoice, onItem }: QuickCalculatorProps) {
  return (
    <CalculateForm estimate={quickEstimate(choice)} hint="" onItem={onItem}>
      <div className={styles.choices}>
        <ChoiceGroup
          legend="What to offset?"
          options={TYPES}
          value={choice.type}
          onChange={(type) => onChoice({ ...choice, type })}
        />
        <ChoiceGroup
          legend="For what period?"
          options={TIMES}
          value={choice.time}
          onChange={(time) => onChoice({ ...choice, time })}
        />
      </div>
    </CalculateForm>
  );
}
