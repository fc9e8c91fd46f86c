import { Failure } from '#domain/failures.ts';

/** The same refusal, with the name of the field that it is about, so that a form can say it there. */
export function aboutField(field: string, failure: Failure | undefined): Failure | undefined {
  return failure && new Failure(failure.code, { ...failure.details, field });
}
