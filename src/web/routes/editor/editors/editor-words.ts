import type { Answer } from '#contract/schemas.ts';
import { sentenceOf } from '#domain/failures.ts';
import { isEmail } from '#domain/profile.ts';

/** Why an address cannot be asked to edit, as the toast of §5 has it; nothing where it can. */
export function addressProblem(email: string): string | undefined {
  const typed = email.trim();
  if (typed === '') return sentenceOf('no-email');
  return isEmail(typed) ? undefined : sentenceOf('invalid-email', { email: typed });
}

/** What adding an editor has led to: a role at once, or an invitation where nobody has proven the address. */
export function addedSentence({ invitation, displayName, email }: Answer<'addEditor'>): string {
  if (invitation) return `${email} is invited by mail, and becomes an editor by signing in with this address.`;
  return `${displayName || email} is an editor now.`;
}
