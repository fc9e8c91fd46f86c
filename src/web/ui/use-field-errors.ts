import { useState } from 'react';

type Problems<Field extends string> = Readonly<Partial<Record<Field, string>>>;
type Refused<Field extends string> = { readonly field: Field | undefined; readonly message: string } | undefined;

/**
 * Which of a form's fields say that something is wrong with them: the one that was refused, and those that their
 * writer has left. What is still empty is no mistake yet.
 */
export function useFieldErrors<Field extends string>(problems: Problems<Field>, refusal: Refused<Field>) {
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  return {
    errorOf: (field: Field, isEmpty: boolean): string | undefined => {
      if (refusal?.field === field) return refusal.message;
      return left.has(field) && !isEmpty ? problems[field] : undefined;
    },
    leave: (field: Field) => setLeft((before) => new Set(before).add(field)),
  };
}
