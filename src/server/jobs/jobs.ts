import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

type SessionMailJob =
  | { readonly kind: 'sign-in' | 'known-address'; readonly email: string; readonly returnTo?: string | undefined }
  | { readonly kind: 'verify'; readonly userId: string; readonly returnTo?: string | undefined }
  | { readonly kind: 'reset'; readonly email: string }
  | { readonly kind: 'password-changed'; readonly userId: string; readonly changedAt: string };

/** Work that is done after the transaction which asked for it, again and again until it succeeds. */
export type JobData = {
  /** Makes the account that somebody signed up for. */
  'sign-up': { readonly signUpId: string };
  /** Mails what belongs to signing in. A link is made only when it is mailed, so that nobody reads it here. */
  'mail-session': SessionMailJob;
  /** Mails the receipt of this number; `again` names a mailing that an editor asked for. */
  'mail-receipt': { readonly orgId: string; readonly receiptNumber: number; readonly again?: string };
  /** Mails an invitation to edit an organisation. */
  'mail-invitation': { readonly orgId: string; readonly invitationId: string };
  /** Tells an editor who had an account already of the new role. */
  'mail-new-editor': { readonly orgId: string; readonly userId: string; readonly addedBy: string };
  /** Tells whoever told a story that it is published; `changedAt` says which publication it is about. */
  'mail-story': { readonly orgId: string; readonly offsetterId: string; readonly changedAt: string };
  /** Takes the files of a picture away that nothing shows any more. */
  'remove-picture': { readonly key: string };
};

export type JobName = keyof JobData;

export type Jobs = {
  /** Queues a job in the caller's transaction: it exists if and only if the transaction commits. */
  enqueue<Name extends JobName>(tx: Transaction<Tables>, name: Name, data: JobData[Name]): Promise<void>;
};
