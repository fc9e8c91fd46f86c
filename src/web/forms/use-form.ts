import { type ChangeEvent, useState } from 'react';
import type { FormError } from './form-errors.ts';
import { type Action, useAttempt } from './use-attempt.ts';

type Problems<Field extends string> = Readonly<Partial<Record<Field, string>>>;
const NO_PROBLEMS: Problems<never> = {};

type FormOptions<Values, Field extends string> = {
  readonly initial: Values;
  /** The fields that can be invalid, by API name, in form order. A photo is `file` (§7). */
  readonly fields: readonly Field[];
  /** Validates the values, by field. A form with problems shows its first problem and is not sent. */
  readonly validate?: (values: Values) => Problems<Field>;
  /** True to show the problems of all fields, even empty ones, when an invalid form is submitted. */
  readonly showsAllProblems?: boolean;
  /** Called with the first problem if an invalid form is submitted. */
  readonly onInvalid?: (problem: string) => void;
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
  validate,
  showsAllProblems = false,
  onInvalid,
}: FormOptions<Values, Field>) {
  const [initialValues] = useState(initial);
  const [values, setValues] = useState(initial);
  const { run, setError, clear, ...attempt } = useAttempt(fields);
  const problems: Problems<Field> = validate?.(values) ?? NO_PROBLEMS;
  const [wasInvalidOnSubmit, setWasInvalidOnSubmit] = useState(false);
  const { errorOf: touchedErrorOf, markTouched } = useFieldErrors<Field>(problems, attempt.error);
  const errorOf = (field: Field, isEmpty: boolean): string | undefined =>
    touchedErrorOf(field, isEmpty) ?? (wasInvalidOnSubmit ? problems[field] : undefined);
  const changeValues = (changes: Partial<Values>) => {
    setValues((previous) => ({ ...previous, ...changes }));
    clear(Object.keys(changes));
  };
  return {
    values,
    setValues,
    /** True if a value differs from its initial one. */
    isUnsaved: JSON.stringify(values) !== JSON.stringify(initialValues),
    /** Changes some values, and clears an error that is about one of them or about the whole form. */
    change: changeValues,
    problems,
    ...attempt,
    errorOf,
    markTouched,
    /** Props of the text field for a value. Only the fields that can be invalid show an error. */
    fieldProps: (name: string & TextName<Values>): FieldProps => {
      // `TextName` contains only the names of string values.
      const value = values[name] as string;
      const fieldName: string = name;
      const field = fields.find((candidate) => candidate === fieldName);
      return {
        name,
        value,
        error: field === undefined ? undefined : errorOf(field, value.trim() === ''),
        onChange: ({ currentTarget }) => changeValues({ [name]: currentTarget.value } as Partial<Values>),
        onBlur: () => field !== undefined && markTouched(field),
      };
    },
    /** @returns the result; undefined if the form is invalid or was rejected, which the form then shows */
    submit: async <Result>(send: Action<Result>): Promise<{ readonly result: Result } | undefined> => {
      const invalidField = fields.find((field) => problems[field] !== undefined);
      setWasInvalidOnSubmit(showsAllProblems && invalidField !== undefined);
      if (invalidField === undefined) return run(send);
      const message = problems[invalidField] ?? '';
      setError({ field: invalidField, message });
      onInvalid?.(message);
      return undefined;
    },
  };
}

/** Error for each field: the server's error or, once the field has lost focus, a validation problem. */
export function useFieldErrors<Field extends string>(problems: Problems<Field>, error?: FormError<Field>) {
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<Field>>(new Set());
  return {
    /** @param isEmpty true to hide the validation problem of an empty field */
    errorOf: (field: Field, isEmpty = false): string | undefined => {
      if (error?.field === field) return error.message;
      return touchedFields.has(field) && !isEmpty ? problems[field] : undefined;
    },
    markTouched: (field: Field) => setTouchedFields((previous) => new Set(previous).add(field)),
  };
}
