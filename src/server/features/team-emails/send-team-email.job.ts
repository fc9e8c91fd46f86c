import { z } from 'zod';
import { parseLanguage } from '#contract/languages.ts';
import { roleCan } from '#domain/permissions.ts';
import { TEAM_EMAIL_PERMISSIONS, type TeamEmailKind } from '#domain/team-emails.ts';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { findRoleInOrg } from '#server/features/editors/read-editors.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { sendAndRecord } from '#server/jobs/send-and-record.ts';
import { composeTeamEmail } from './compose-team-email.ts';
import { isTeamEmailPending, recordTeamEmailOutcome, type TeamEmailKey } from './team-emails.store.ts';

export type TeamEmailDeps = EmailDeps & Pick<AppDeps, 'now' | 'livemode'>;

const KINDS = Object.keys(TEAM_EMAIL_PERMISSIONS) as TeamEmailKind[];

/**
 * Emails a team member about a gift, a story, a problem, or a statement. Skips the email if the person has lost the
 * permission, or if the problem is settled.
 */
export const sendTeamEmail = defineJob({
  name: 'send-team-email',
  payload: z.object({ orgId: z.string(), userId: z.string(), kind: z.enum(KINDS), subject: z.string() }),
  async run(deps: TeamEmailDeps, email: TeamEmailKey, attempt) {
    const { db, now, mailer } = deps;
    const { orgId, userId, kind, subject } = email;
    if (!(await isTeamEmailPending(db.kysely, email))) return;
    const [org, user, role] = await Promise.all([
      findOrg(db, orgId),
      findUserRow(db.kysely, userId),
      findRoleInOrg(db.kysely, orgId, userId),
    ]);
    const recordOutcome = (status: 'sent' | 'rejected' | 'failed' | 'skipped', code: string | null) =>
      recordTeamEmailOutcome(db.kysely, email, { status, error_code: code }, now());
    if (!org || !user || !role || !roleCan(role, TEAM_EMAIL_PERMISSIONS[kind])) return recordOutcome('skipped', null);
    const recipient = {
      userId,
      role,
      email: user.email,
      name: user.display_name,
      language: parseLanguage(user.language),
    };
    const message = await composeTeamEmail(deps, { kind, subject, org, recipient });
    if (!message) return recordOutcome('skipped', null);
    await sendAndRecord(() => mailer.send(message), attempt, recordOutcome);
  },
});
