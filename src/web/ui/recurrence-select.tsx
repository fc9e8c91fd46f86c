import type { Recurring } from '#domain/cart.ts';
import { m } from '#messages';
import { Select, type SelectProps } from './choice.tsx';

/** Once, or every `interval` months or years. */
export type Recurrence = { readonly recurring: Recurring; readonly interval: number };

export const ONCE: Recurrence = { recurring: 'no', interval: 1 };
const MONTHLY: Recurrence = { recurring: 'month', interval: 1 };
const YEARLY: Recurrence = { recurring: 'year', interval: 1 };

/** The choices of a donor (decisions §3). A stored gift may have any number of months. */
export const COMMON_RECURRENCES: readonly Recurrence[] = [ONCE, MONTHLY, YEARLY];
export const OTHER_RECURRENCES = [2, 3, 6].map((interval): Recurrence => ({ recurring: 'month', interval }));

export function toRecurrenceOption(recurrence: Recurrence): { readonly value: string; readonly label: string } {
  return { value: getRecurrenceKey(recurrence), label: getRecurrenceLabel(recurrence) };
}

export function getRecurrenceKey({ recurring, interval }: Recurrence): string {
  return `${recurring} ${interval}`;
}

function getRecurrenceLabel({ recurring, interval }: Recurrence): string {
  if (recurring === 'no') return m.recurrenceOnce();
  if (recurring === 'year') return m.recurrenceYearly();
  return interval === 1 ? m.recurrenceMonthly() : m.giftChangeMonths({ count: interval });
}

type RecurrenceChoices = {
  choices: readonly Recurrence[];
  /** Offered even if the value isn't one of the choices. */
  value: Recurrence;
  onChange: (recurrence: Recurrence) => void;
};

/** A select for the recurrence of a gift, without a visible label. */
export function RecurrenceSelect({ label, ...choices }: RecurrenceChoices & { label: string }) {
  return <Select aria-label={label} {...toSelectProps(choices)} />;
}

/** Converts the choices to the properties of a select. */
export function toSelectProps({ choices, value, onChange }: RecurrenceChoices): SelectProps {
  const isChoice = choices.some((choice) => getRecurrenceKey(choice) === getRecurrenceKey(value));
  const offeredRecurrences = isChoice ? choices : [...choices, value];
  return {
    options: offeredRecurrences.map(toRecurrenceOption),
    value: getRecurrenceKey(value),
    onChange: ({ currentTarget }) => {
      const recurrence = offeredRecurrences.find((option) => getRecurrenceKey(option) === currentTarget.value);
      if (recurrence) onChange(recurrence);
    },
  };
}
