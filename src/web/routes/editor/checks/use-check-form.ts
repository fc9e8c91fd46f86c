import { type SubmitEvent, useRef, useState } from 'react';
import { failedSentence, type Refusal, refusalOf } from '#web/api/refusal.ts';
import { useFieldErrors } from '#web/api/use-form.ts';
import { CHECK_FIELDS, type CheckField, type CheckProblems } from './check-form.ts';

/** A form about a check: what is typed, what is wrong with it, and what became of sending it. */
export function useCheckForm<Form>(
  first: Form,
  problemsOf: (form: Form, now: Date) => CheckProblems,
  send: (form: Form) => Promise<void>,
) {
  const [form, setForm] = useState(first);
  const [now] = useState(() => new Date());
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal<CheckField>>();
  // Two presses can come before the first is drawn as a disabled button.
  const underWay = useRef(false);
  const problems = problemsOf(form, now);
  const { errorOf, leave } = useFieldErrors<CheckField>(problems, refusal);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = CHECK_FIELDS.find((each) => problems[each] !== undefined);
    if (field !== undefined) return setRefusal({ field, message: problems[field] ?? '' });
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await send(form);
    } catch (error) {
      setRefusal(refusalOf(error, CHECK_FIELDS) ?? { field: undefined, message: failedSentence(error) });
      setBusy(false);
    } finally {
      underWay.current = false;
    }
  };
  const change = (part: Partial<Form>) => {
    setForm((before) => ({ ...before, ...part }));
    setRefusal(undefined);
  };
  const problem = refusal && refusal.field === undefined ? refusal.message : undefined;
  return { form, change, errorOf, leave, busy, problem, submit };
}
