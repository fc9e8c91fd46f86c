import { useRef, useState } from 'react';
import { useFieldErrors } from '#web/ui/use-field-errors.ts';
import { failedSentence, type Refusal, refusalOf } from './api-error.ts';

type Problems<Field extends string> = Readonly<Partial<Record<Field, string>>>;
const NO_PROBLEMS: Problems<never> = {};

type FormOptions<Values, Field extends string> = {
  readonly initial: Values;
  /** The fields that can be refused, by the names the API uses, in the order of the form. A photo is `file` (§7). */
  readonly fields: readonly Field[];
  /** What is wrong with the values, by field. A form with problems is not sent: its first problem is shown. */
  readonly problemsOf?: (values: Values) => Problems<Field>;
};

/** Sends the form; `onProgress` takes the fraction of an upload that has been sent, from 0 to 1. */
type Send<Answer> = (onProgress: (fraction: number) => void) => Promise<Answer>;

/** A form: its values, what is wrong with them, and its submission. */
export function useForm<Values extends object, Field extends string>({
  initial,
  fields,
  problemsOf,
}: FormOptions<Values, Field>) {
  const [values, setValues] = useState(initial);
  const [refusal, setRefusal] = useState<Refusal<Field>>();
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<number>();
  // A second click can arrive before React has disabled the button.
  const running = useRef(false);
  const problems: Problems<Field> = problemsOf?.(values) ?? NO_PROBLEMS;
  const fieldErrors = useFieldErrors<Field>(problems, refusal);

  /** Changes some values, and clears the refusal if it was about one of them or about the whole form. */
  const change = (part: Partial<Values>) => {
    setValues((before) => ({ ...before, ...part }));
    setRefusal((before) => (before?.field !== undefined && !(before.field in part) ? before : undefined));
  };
  /** @returns the answer; nothing if the form was refused, which it then shows */
  const submit = async <Answer>(send: Send<Answer>): Promise<{ readonly answer: Answer } | undefined> => {
    const invalid = fields.find((field) => problems[field] !== undefined);
    if (invalid !== undefined) {
      setRefusal({ field: invalid, message: problems[invalid] ?? '' });
      return undefined;
    }
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProgress(0);
    setRefusal(undefined);
    try {
      return { answer: await send(setProgress) };
    } catch (error) {
      setRefusal(refusalOf(error, fields) ?? { field: undefined, message: failedSentence(error) });
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
      setProgress(undefined);
    }
  };
  return {
    values,
    setValues,
    change,
    problems,
    refusal,
    /** Why the form was refused, if no single field is to blame. */
    problem: refusal && refusal.field === undefined ? refusal.message : undefined,
    ...fieldErrors,
    busy,
    /** The fraction sent so far, while the form is being sent. */
    progress,
    submit,
  };
}
