import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { SEARCH_MAXIMUM } from '#domain/checkout-search.ts';
import { formFailure } from '#domain/form-failures.ts';
import { formatDollars } from '#domain/money.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { EmptyNote, StatusMark } from '#web/ui/list-parts.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from '../treasury.module.css';
import { cartText, checkoutLabel, donorOf, PAYMENT_LABELS } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import { type CheckoutFilters, isFiltered, NO_FILTERS } from './checkout-view.ts';

type CheckoutSearchProps = {
  /** The filters of the search that is shown, as a text. */
  searched: string;
  filters: CheckoutFilters;
  onSearch: (filters: CheckoutFilters) => void;
};

const STATUSES: readonly { readonly value: NonNullable<CheckoutFilters['status']> | ''; readonly label: string }[] = [
  { value: '', label: 'Any status' },
  { value: 'received', label: 'Paid or pending' },
  { value: 'attempts', label: 'Unpaid attempts' },
  ...PAYMENT_STATUSES.map((status) => ({ value: status, label: PAYMENT_LABELS[status].label })),
];

export function CheckoutSearch({ searched, filters, onSearch }: CheckoutSearchProps) {
  const [typed, setTyped] = useState(filters);
  const [before, setBefore] = useState(searched);
  // Not a new form, in which the focus would be lost.
  if (before !== searched) {
    setBefore(searched);
    setTyped(filters);
  }
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
        <SelectField
          label="Status"
          value={typed.status ?? ''}
          options={STATUSES}
          onChange={({ currentTarget }) => {
            const status = STATUSES.find(({ value }) => value === currentTarget.value)?.value;
            setTyped({ ...typed, status: status || undefined });
          }}
        />
        <DayField label="From" day={typed.from} onChange={(from) => setTyped({ ...typed, from })} />
        <DayField
          label="To"
          day={typed.to}
          error={isBackwards ? formFailure('days-backwards').message : undefined}
          onChange={(to) => setTyped({ ...typed, to })}
        />
        <Cluster gap={2} className={styles.searchButtons}>
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
        </Cluster>
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

type CheckoutTableProps = {
  checkouts: readonly CheckoutListed[];
  onOpen: (checkout: CheckoutListed) => void;
};

/** The table of §2; on a phone, a card per checkout. */
export function CheckoutTable({ checkouts, onOpen }: CheckoutTableProps) {
  if (checkouts.length === 0) return <EmptyNote>No checkouts found.</EmptyNote>;
  return (
    <table className={styles.table}>
      <caption>
        <VisuallyHidden>Checkouts, newest first</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">Cart</th>
          <th scope="col">Date</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.number}>
            Donation
          </th>
          <th scope="col">Info</th>
        </tr>
      </thead>
      <tbody>
        {checkouts.map((checkout) => (
          <CheckoutRow key={checkout.id} checkout={checkout} onOpen={() => onOpen(checkout)} />
        ))}
      </tbody>
    </table>
  );
}

function CheckoutRow({ checkout, onOpen }: { checkout: CheckoutListed; onOpen: () => void }) {
  const { cart, createdTimestamp, total, displayName, email } = checkout;
  const { label, tone } = checkoutLabel(checkout);
  const donor = displayName ?? email;
  const { dateText } = useDates();
  return (
    <tr>
      <td className={styles.cart}>
        <span className={styles.what}>{cartText(cart)}</span>
        {donor && <span className={styles.who}>{donor}</span>}
      </td>
      <td className={styles.date}>
        <time dateTime={createdTimestamp}>{dateText(createdTimestamp)}</time>
      </td>
      <td className={styles.state}>
        <StatusMark tone={tone}>{label}</StatusMark>
      </td>
      <td className={styles.number}>{formatDollars(total)}</td>
      <td className={styles.info}>
        <Button kind="outline" onClick={onOpen}>
          Info
          <VisuallyHidden>
            : {donorOf(checkout)}, {formatDollars(total)}, {dateText(createdTimestamp)}
          </VisuallyHidden>
        </Button>
      </td>
    </tr>
  );
}

type PageTurnerProps = {
  /** Address of the page; undefined if there is none. */
  previous: string | undefined;
  next: string | undefined;
};

export function PageTurner({ previous, next }: PageTurnerProps) {
  if (previous === undefined && next === undefined) return null;
  return (
    <nav aria-label="Pages" className={styles.turner}>
      <TurnLink to={previous} rel="prev">
        <Icon name="previous" /> Previous
      </TurnLink>
      <TurnLink to={next} rel="next">
        Next <Icon name="next" />
      </TurnLink>
    </nav>
  );
}

function TurnLink({ to, rel, children }: { to: string | undefined; rel: 'prev' | 'next'; children: ReactNode }) {
  if (to === undefined) {
    return (
      <Button kind="outline" disabled>
        {children}
      </Button>
    );
  }
  return (
    <ButtonLink kind="outline" to={to} rel={rel} aria-current="false">
      {children}
    </ButtonLink>
  );
}
