import { useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { NumberField } from '#web/ui/field.tsx';
import { CalculateForm } from './calculate.tsx';
import styles from './home-calculator-form.module.css';
import {
  countsAsZero,
  HOME_FIELDS,
  type HomeField,
  type HomeForm,
  homeEstimate,
  isHomeFilled,
} from './home-estimate.ts';

const LABELS: Record<HomeField, { readonly label: string; readonly unit: string }> = {
  propane: { label: 'Propane', unit: 'gallons' },
  electricity: { label: 'Electricity', unit: 'kWh' },
  gas: { label: 'Natural gas', unit: 'therms' },
  oil: { label: 'Fuel oil', unit: 'gallons' },
};

type HomeCalculatorFormProps = {
  form: HomeForm;
  onForm: (form: HomeForm) => void;
  onItem: (item: CartItem) => void;
};

/** What a home burns and draws (§2, §9). The button waits for one field only; what comes to nothing is then told. */
export function HomeCalculatorForm({ form, onForm, onItem }: HomeCalculatorFormProps) {
  const [refused, setRefused] = useState(false);
  const estimate = homeEstimate(form);
  const problem = estimate.problem ?? Object.values(estimate.problems)[0];
  return (
    <CalculateForm
      estimate={estimate}
      hint="Enter what your bills say, in one field or more."
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
            hint={countsAsZero(form[field]) ? 'This is not an amount, so it counts as 0.' : undefined}
            error={estimate.problems[field]}
          />
        ))}
      </div>
      {refused && problem && (
        <p role="alert" className={styles.refused}>
          {estimate.problem ? 'Nothing was added to the cart, because these amounts come to 0 lbs of carbon.' : problem}
        </p>
      )}
    </CalculateForm>
  );
}
