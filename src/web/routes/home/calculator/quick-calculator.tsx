import type { CartItem } from '#domain/cart.ts';
import type { QuickEstimate, QuickTime, QuickType } from '#domain/emissions.ts';
import { type Choice, ChoiceGroup } from '#web/ui/choice.tsx';
import { CalculateForm } from './calculate.tsx';
import styles from './quick-calculator.module.css';
import { quickEstimate } from './quick-estimate.ts';

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

/** An average household's car, home or flying habit, for those who have no numbers at hand (§2, §9). */
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
