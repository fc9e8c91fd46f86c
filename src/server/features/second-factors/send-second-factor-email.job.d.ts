import { type Language } from '#messages';
import type { AppDeps, Parent } from '#server/deps.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';

declare const CHANGES: readonly [
  'passkey-added',
  'passkey-removed',
  'authenticator-added',
  'authenticator-removed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'few-recovery-codes',
  'removed-by-admin',
  'removal-asked',
];
export type SecondFactorChange = (typeof CHANGES)[number];
type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & {
  readonly mailer: Mailer;
};
/** Emails a user after every change or use of a second factor, so that an owner who didn't make the change notices. */
export declare const sendSecondFactorEmail: import('#server/jobs/define-job.ts').Job<
  {
    userId: string;
    change:
      | 'authenticator-added'
      | 'authenticator-removed'
      | 'few-recovery-codes'
      | 'passkey-added'
      | 'passkey-removed'
      | 'recovery-code-used'
      | 'recovery-codes-renewed'
      | 'removal-asked'
      | 'removed-by-admin';
    at: string;
    left?: number | undefined;
  },
  Deps
>;
type SecondFactorEmail = {
  readonly email: string;
  readonly language: Language;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
  readonly change: SecondFactorChange;
  readonly at: Date;
  /** Number of unused recovery codes. */
  readonly left?: number | undefined;
};
/** Contains no name: it could be a stranger's words. */
export declare function secondFactorEmail(details: SecondFactorEmail): Mail;
