import { type FormEvent, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { NumberField, TextField } from '#web/ui/field.tsx';
import styles from './donate.module.css';
import type { PledgeField } from './pledge-form.ts';
import type { usePledge } from './use-pledge.ts';

/** "I am sending a check for $N" (decisions §3). */
export function PledgeFields({ pledge }: { pledge: ReturnType<typeof usePledge> }) {
  const { form, problems, problem, sending, change, send } = pledge;
  const element = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sent = await send();
    const wrong = FIELDS.find((field) => sent.problems[field]);
    const input = wrong && element.current?.elements.namedItem(wrong);
    if (input instanceof HTMLElement) input.focus();
  };
  const typing = (field: PledgeField) => ({
    name: field,
    value: form[field],
    error: problems[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change(field, currentTarget.value),
  });
  return (
    <form ref={element} onSubmit={(event) => void submit(event)} noValidate className={styles.pledge}>
      <p>Are you sending one? Tell us, so that we can look out for it.</p>
      <TextField label="Name" autoComplete="name" {...typing('name')} />
      <TextField label="Email" type="email" autoComplete="email" {...typing('email')} />
      <NumberField label="I am sending a check for" prefix="$" suffix=".00" {...typing('amount')} />
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <Button type="submit" busy={sending}>
        {sending ? 'Sending…' : 'Tell us about your check'}
      </Button>
    </form>
  );
}

const FIELDS: readonly PledgeField[] = ['name', 'email', 'amount'];
