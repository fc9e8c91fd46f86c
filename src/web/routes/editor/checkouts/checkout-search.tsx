import { type SubmitEvent, useState } from 'react';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { SEARCH_MAXIMUM } from '#domain/checkout-search.ts';
import { sentenceOf } from '#domain/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from '../treasury.module.css';
import { statusOf } from '../treasury-words.ts';
import { type CheckoutFilters, isFiltered, NO_FILTERS } from './checkout-view.ts';

type CheckoutSearchProps = {
  /** What is searched for now. */
  filters: CheckoutFilters;
  onSearch: (filters: CheckoutFilters) => void;
};

const ANY = { value: '', label: 'Any status' };

/** By which name, address, amount or id, of which status and days checkouts are looked for. */
export function CheckoutSearch({ filters, onSearch }: CheckoutSearchProps) {
  const [typed, setTyped] = useState(filters);
  const isBackwards = typed.from !== undefined && typed.to !== undefined && typed.to < typed.from;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isBackwards) onSearch(typed);
  };
  return (
    <search>
      <form onSubmit={submit} className={styles.search}>
        <TextField
          className={styles.query}
          label="Name, email, amount or id"
          type="search"
          maxLength={SEARCH_MAXIMUM}
          autoComplete="off"
          value={typed.query}
          onChange={({ currentTarget }) => setTyped({ ...typed, query: currentTarget.value })}
        />
        <div className={styles.status}>
          <span aria-hidden="true">Status</span>
          <Select
            label="Status"
            value={typed.status ?? ''}
            options={[ANY, ...PAYMENT_STATUSES.map((status) => ({ value: status, label: statusOf(status).word }))]}
            onChange={({ currentTarget }) =>
              setTyped({ ...typed, status: PAYMENT_STATUSES.find((status) => status === currentTarget.value) })
            }
          />
        </div>
        <DayField label="From" day={typed.from} onChange={(from) => setTyped({ ...typed, from })} />
        <DayField
          label="To"
          day={typed.to}
          error={isBackwards ? sentenceOf('days-backwards') : undefined}
          onChange={(to) => setTyped({ ...typed, to })}
        />
        <div className={styles.searchButtons}>
          <Button type="submit">
            <Icon name="search" /> Search
          </Button>
          {isFiltered(filters) && (
            <Button
              kind="quiet"
              onClick={() => {
                setTyped(NO_FILTERS);
                onSearch(NO_FILTERS);
              }}
            >
              Show all
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}

type DayFieldProps = {
  label: string;
  day: string | undefined;
  error?: string | undefined;
  onChange: (day: string | undefined) => void;
};

/** A day, or none. */
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
