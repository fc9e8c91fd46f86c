import { addMonths, formatMonth, type Month } from '#domain/statement.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './books.module.css';

type MonthSelectProps = {
  month: Month;
  firstMonth: Month;
  lastMonth: Month;
  getUrl: (month: Month) => string;
};

/** A select with the months of the books, latest first. */
export function MonthSelect({ month, firstMonth, lastMonth, getUrl }: MonthSelectProps) {
  const navigator = useNavigator();
  const options: { value: string; label: string }[] = [];
  for (let option = lastMonth; option >= firstMonth; option = addMonths(option, -1)) {
    options.push({ value: option, label: formatMonth(option) });
  }
  return (
    <div className={styles.months}>
      <SelectField
        label="Month"
        value={month}
        options={options}
        onChange={({ currentTarget: { value } }) => void navigator.go(getUrl(value), { keepScroll: true })}
      />
    </div>
  );
}
