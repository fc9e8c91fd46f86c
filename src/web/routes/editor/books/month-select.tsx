import { addMonths, formatMonth, type Month, type StatementPeriod } from '#domain/statement.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './books.module.css';

type MonthSelectProps = {
  /** The selected month or, with `hasYears`, a year. */
  period: StatementPeriod;
  firstMonth: Month;
  lastMonth: Month;
  /** Lists each year before its months. */
  hasYears?: boolean;
  getUrl: (period: StatementPeriod) => string;
};

/** A select with the months of the books, latest first. */
export function MonthSelect({ period, firstMonth, lastMonth, hasYears = false, getUrl }: MonthSelectProps) {
  const navigator = useNavigator();
  const options: { value: string; label: string }[] = [];
  for (let option = lastMonth; option >= firstMonth; option = addMonths(option, -1)) {
    const year = option.slice(0, 4);
    if (hasYears && (option === lastMonth || option.endsWith('-12')))
      options.push({ value: year, label: option === lastMonth ? `${year} so far` : `All of ${year}` });
    options.push({ value: option, label: formatMonth(option) });
  }
  return (
    <div className={styles.months}>
      <SelectField
        label={hasYears ? 'Month or year' : 'Month'}
        value={period}
        options={options}
        onChange={({ currentTarget: { value } }) => void navigator.go(getUrl(value), { keepScroll: true })}
      />
    </div>
  );
}
