import type { Failure } from '#domain/failures.ts';

/** Messages for the fields that have a problem. @param problems a failure or a message for each invalid field */
export function problemsByField<Field extends string>(
  problems: Readonly<Partial<Record<Field, Failure | string | undefined>>>,
): Partial<Record<Field, string>> {
  const messages = Object.entries<Failure | string | undefined>(problems).flatMap(([field, problem]) =>
    problem === undefined ? [] : [[field, typeof problem === 'string' ? problem : problem.message]],
  );
  // The keys are the names of the fields.
  return Object.fromEntries(messages) as Partial<Record<Field, string>>;
}
