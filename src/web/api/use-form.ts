import { type ChangeEvent, useRef, useState } from 'react';
import { failureMessage, type FormError, formErrorOf } from './error-messages.ts';

type Problems<Field extends string> = Readonly<Partial<Record<Field, string>>>;
const NO_PROBLEMS: Problems<never> = {};

/** Sends the form; `onProgress` takes the fraction of an upload that has been sent, from 0 to 1. */
type Send<Result> = (onProgress: (fraction: number) => void) => Promise<Result>;

/**
 * Sends a form, one request at a time, and keeps the reason it was rejected.
 * @param fields that can be invalid, by the names the API uses; a photo is `file` (§7)
 */
export function useSubmission<Field extends string>(fields: readonly Field[]) {
  const [error, setError] = useState<FormError<Field>>();
  const [progress, setProgress] = useState<number>();
  // A second click can arrive before React has disabled the button.
  const running = useRef(false);
  /** @returns the result; undefined if it was rejected, or if a request is still running */
  const submit = async <Result>(send: Send<Result>): Promise<{ readonly result: Result } | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setProgress(0);
    setError(undefined);
    try {
      return { result: await send(setProgress) };
    } catch (failure) {
      setError(formErrorOf(failure, fields) ?? { field: undefined, message: failureMessage(failure) });
      return undefined;
    } finally {
      running.current = false;
      setProgress(undefined);
    }
  };
  return {
    submit,
    busy: progress !== undefined,
    /** The fraction sent so far, while the form is being sent. */
    progress,
    error,
    /** Error that isn't about a single field. */
    problem: error && error.field === undefined ? error.message : undefined,
    setError,
    /** Call it when fields change: clears the error if it was about one of them or about the whole form. */
    clear: (changed: readonly string[]) =>
      setError((previous) => (previous?.field !== undefined && !changed.includes(previous.field) ? previous : undefined)),
  };
}

type FormOptions<Values, Field extends string> = {
  readonly initial: Values;
  /** The fields that can be invalid, by the names the API uses, in the order of the form. A photo is `file` (§7). */
  readonly fields: readonly Field[];
  /** Validates the values, by field. A form with problems shows its first problem and is not sent. */
  readonly problemsOf?: (values: Values) => Problems<Field>;
};

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values];

export type FieldProps = {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  readonly onBlur: () => void;
};

export function useForm<Values extends object, Field extends string>({
  initial,
  fields,
  problemsOf,
}: FormOptions<Values, Field>) {
  const [values, setValues] = useState(initial);
  const { submit: send, setError, clear, ...submission } = useSubmission(fields);
  const problems: Problems<Field> = problemsOf?.(values) ?? NO_PROBLEMS;
  const { errorOf, leave } = useFieldErrors<Field>(problems, submission.error);
  const change = (part: Partial<Values>) => {
    setValues((previous) => ({ ...previous, ...part }));
    clear(Object.keys(part));
  };
  return {
    values,
    setValues,
    /** Changes some values, and clears the error if it was about one of them or about the whole form. */
    change,
    problems,
    ...submission,
    errorOf,
    leave,
    /** Props of the text field for a value. */
    fieldProps: (name: Field & TextName<Values>): FieldProps => {
      // The names of this type have text values.
      const value = values[name] as string;
      return {
        name,
        value,
        error: errorOf(name, value.trim() === ''),
        onChange: ({ currentTarget }) => change({ [name]: currentTarget.value } as Partial<Values>),
        onBlur: () => leave(name),
      };
    },
    /** @returns the result; undefined if the form was rejected, which it then shows */
    submit: async <Result>(request: Send<Result>): Promise<{ readonly result: Result } | undefined> => {
      const invalid = fields.find((field) => problems[field] !== undefined);
      if (invalid === undefined) return send(request);
      setError({ field: invalid, message: problems[invalid] ?? '' });
      return undefined;
    },
  };
}

/** The error to show at each field: the server's error, or a validation problem once the field has lost focus. */
export function useFieldErrors<Field extends string>(
  problems: Problems<Field>,
  error: FormError<Field> | undefined,
) {
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<Field>>(new Set());
  return {
    /** @param isEmpty a field that is still empty has no error yet */
    errorOf: (field: Field, isEmpty: boolean): string | undefined => {
      if (error?.field === field) return error.message;
      return touchedFields.has(field) && !isEmpty ? problems[field] : undefined;
    },
    leave: (field: Field) => setTouchedFields((previous) => new Set(previous).add(field)),
  };
}
