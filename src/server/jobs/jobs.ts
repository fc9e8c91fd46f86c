import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

type SessionMailJob =
  | { readonly kind: 'sign-in' | 'known-address'; readonly email: string; readonly returnTo?: string | undefined }
  | { readonly kind: 'verify'; readonly userId: string; readonly returnTo?: string | undefined }
  | { readonly kind: 'reset'; readonly email: string }
  | { readonly kind: 'password-changed'; readonly userId: string; readonly changedAt: string };

/** Work done after the transaction that queued it, and retried until it succeeds. */
export type JobData = {
  /** Creates the account of a sign-up. */
  'sign-up': { readonly signUpId: string };
  /** Mails about signing in. Links are created only when mailed, so that none are readable in the queue. */
  'mail-session': SessionMailJob;
  /** Mails a receipt; `again` marks a mailing that an editor requested. */
  'mail-receipt': { readonly orgId: string; readonly receiptNumber: number; readonly again?: string };
  /** Mails an invitation to edit an organization. */
  'mail-invitation': { readonly orgId: string; readonly invitationId: string };
  /** Mails a new editor who already had an account. */
  'mail-new-editor': { readonly orgId: string; readonly userId: string; readonly addedBy: string };
  /** Mails the author of a story that was published at `changedAt`. */
  'mail-story': { readonly orgId: string; readonly offsetterId: string; readonly changedAt: string };
  /** Deletes the files of an unused picture. */
  'remove-picture': { readonly key: string };
};

export type JobName = keyof JobData;

export type Jobs = {
  /** Queues a job if and only if the caller's transaction commits. */
  enqueue<Name extends JobName>(tx: Transaction<Tables>, name: Name, data: JobData[Name]): Promise<void>;
};
