import { flushSync } from 'react-dom';
import { MAX_QUERY_LENGTH, SEARCH_STATUSES } from '#domain/checkout-search.ts';
import { formFailure } from '#domain/form-failures.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { TextField } from '#web/ui/field.tsx';
import folds from '#web/ui/fold.module.css';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { SearchForm } from '#web/ui/search-form.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import {
  type CheckoutFilters,
  countExtraFilters,
  isDateRangeReversed,
  isFiltered,
  NO_FILTERS,
} from '../checkout-view.ts';
import { GIFT_LABELS } from '../treasury-labels.ts';
import styles from './checkout-search.module.css';

type CheckoutSearchProps = {
  /** Identifies the search that produced the current results. */
  searchKey: string;
  filters: CheckoutFilters;
  onSearch: (filters: CheckoutFilters) => void;
};

const STATUSES: readonly { readonly value: NonNullable<CheckoutFilters['status']> | ''; readonly label: string }[] = [
  { value: '', label: 'Any status' },
  { value: 'received', label: 'Paid or pending' },
  { value: 'attempts', label: 'Unpaid attempts' },
  ...SEARCH_STATUSES.map((status) => ({ value: status, label: GIFT_LABELS[status].label })),
];

/** On a phone, only the query is always visible. The other filters expand below it. */
export function CheckoutSearch({ searchKey, filters, onSearch }: CheckoutSearchProps) {
  const [input, setInput] = useStateFrom(filters, searchKey);
  const [isExpanded, setIsExpanded] = useStateFrom(countExtraFilters(filters) > 0, searchKey);
  const extraFilters = countExtraFilters(input);
  const isReversed = isDateRangeReversed(input);
  const submit = (form: Element) => {
    if (!isReversed) {
      onSearch(input);
      return;
    }
    // A collapsed field can't receive focus.
    flushSync(() => setIsExpanded(true));
    form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };
  return (
    <SearchForm className={styles.search} onSearch={submit}>
      <TextField
        className={styles.query}
        label="Donor, amount, or number"
        type="search"
        maxLength={MAX_QUERY_LENGTH}
        autoComplete="off"
        value={input.query}
        onChange={({ currentTarget }) => setInput({ ...input, query: currentTarget.value })}
      />
      <Button
        kind="quiet"
        className={classNames(folds.toggle, styles.more)}
        aria-expanded={isExpanded}
        onClick={() => setIsExpanded(!isExpanded)}
      >
        More filters{extraFilters > 0 && ` (${extraFilters})`}
      </Button>
      <div className={classNames(styles.filters, !isExpanded && styles.collapsed)}>
        <SelectField
          label="Status"
          value={input.status ?? ''}
          options={STATUSES}
          onChange={({ currentTarget }) => {
            const status = STATUSES.find(({ value }) => value === currentTarget.value)?.value;
            setInput({ ...input, status: status || undefined });
          }}
        />
        <DayField label="From" day={input.from} onChange={(from) => setInput({ ...input, from })} />
        <DayField
          label="To"
          day={input.to}
          error={isReversed ? formFailure('days-out-of-order').message : undefined}
          onChange={(to) => setInput({ ...input, to })}
        />
      </div>
      <Cluster gap={2} className={styles.searchButtons}>
        <Button type="submit">
          <Icon name="search" /> Search
        </Button>
        {isFiltered(filters) && (
          <Button
            kind="quiet"
            onClick={() => {
              const clearedFilters = { ...NO_FILTERS, kind: filters.kind };
              setInput(clearedFilters);
              onSearch(clearedFilters);
            }}
          >
            Show all
          </Button>
        )}
      </Cluster>
    </SearchForm>
  );
}

type DayFieldProps = {
  label: string;
  day: string | undefined;
  error?: string | undefined;
  onChange: (day: string | undefined) => void;
};

export function DayField({ label, day, error, onChange }: DayFieldProps) {
  return (
    <TextField
      label={label}
      type="date"
      value={day ?? ''}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
