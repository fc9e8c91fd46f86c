import type { Failure } from '#domain/failures.ts';
import { emailFailure } from '#domain/profile.ts';

/** An address as it is kept, from what a person typed. @returns Failure no-email, invalid-email */
export function typedEmail(typed: string): string | Failure {
  return emailFailure(typed) ?? typed.trim().toLowerCase();
}
