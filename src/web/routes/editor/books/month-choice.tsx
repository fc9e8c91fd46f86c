import { addMonths, type Month, monthText } from '#domain/statement.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './books.module.css';

type MonthChoiceProps = {
  month: Month;
  firstMonth: Month;
  lastMonth: Month;
  addressOf: (month: Month) => string;
};

/** Select for a month of the books, latest first. */
export function MonthChoice({ month, firstMonth, lastMonth, addressOf }: MonthChoiceProps) {
  const navigator = useNavigator();
  const options: { value: string; label: string }[] = [];
  for (let each = lastMonth; each >= firstMonth; each = addMonths(each, -1)) {
    options.push({ value: each, label: monthText(each) });
  }
  return (
    <div className={styles.months}>
      <SelectField
        label="Month"
        value={month}
        options={options}
        onChange={({ currentTarget: { value } }) => void navigator.go(addressOf(value), { keepScroll: true })}
      />
    </div>
  );
}
