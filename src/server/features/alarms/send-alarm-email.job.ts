import { z } from 'zod';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { ALARMS } from '#domain/health-checks.ts';
import type { UserId } from '#domain/ids.ts';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { composeEmail, note, paragraph } from '#server/gateways/email/compose-email.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { formatCommandLine } from '#server/process/app-path.ts';

/** An address from ALARM_EMAILS, or an admin. */
const alarmRecipient = z.union([z.object({ email: z.string() }), z.object({ userId: z.string() })]);
export type AlarmRecipient = z.infer<typeof alarmRecipient>;

/** Emails an operator or admin that an alarm began or ended. */
export const sendAlarmEmail = defineJob({
  name: 'send-alarm-email',
  payload: z.object({
    to: alarmRecipient,
    alarm: z.enum(ALARMS.map(({ name }) => name)),
    change: z.enum(['began', 'over']),
    at: z.string(),
    host: z.string().optional(),
  }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { to, alarm, change, at, host }) {
    const recipient = 'email' in to ? { email: to.email, display_name: '' } : await findAdmin(db, to.userId);
    const check = ALARMS.find(({ name }) => name === alarm);
    if (!recipient || !check) return;
    const title = change === 'began' ? check.title : check.recoveredTitle;
    const machine = host === undefined ? '' : ` Machine: ${host}.`;
    const startParts = [
      paragraph(`${check.explain(formatCommandLine)}${machine}`),
      note('You’ll get one more email when the problem is resolved.'),
    ];
    const endParts = [paragraph(`The problem “${check.title}” is resolved.${machine}`)];
    const { email, display_name: name } = recipient;
    const messageKey = `alarm-${alarm}-${host ?? ''}-${change}-${Date.parse(at)}-${email}`;
    const envelope = { email, language: DEFAULT_LANGUAGE, parent, publicUrl: publicUrl(), messageKey };
    await mailer.send(
      composeEmail(envelope, {
        subject: title,
        preheader: change === 'began' ? 'Please take a look.' : 'You don’t need to do anything.',
        name,
        title,
        parts: change === 'began' ? startParts : endParts,
      }),
    );
  },
});

async function findAdmin(db: AppDeps['db'], userId: UserId) {
  const user = await findUserRow(db.kysely, userId);
  return user?.admin ? user : undefined;
}
