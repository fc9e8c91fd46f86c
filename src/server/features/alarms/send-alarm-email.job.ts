import { z } from 'zod';
import { ALARMS } from '#domain/health-checks.ts';
import type { UserId } from '#domain/ids.ts';
import type { AppDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { composeEmail, composeGreeting, note, paragraph, senderLines } from '#server/gateways/email/compose-email.ts';
import type { Mailer } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { formatCommandLine } from '#server/process/app-path.ts';

type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

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
  async run({ db, parent, publicUrl, mailer }: Deps, { to, alarm, change, at, host }) {
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
    await mailer.send(
      composeEmail({
        to: recipient.email,
        subject: title,
        preheader: change === 'began' ? 'Please take a look.' : 'You don’t need to do anything.',
        greeting: composeGreeting(recipient.display_name),
        title,
        parts: change === 'began' ? startParts : endParts,
        sender: senderLines(parent, publicUrl()),
        publicUrl: publicUrl(),
        messageKey: `alarm-${alarm}-${host ?? ''}-${change}-${Date.parse(at)}-${recipient.email}`,
      }),
    );
  },
});

async function findAdmin(db: AppDeps['db'], userId: UserId) {
  const user = await findUserRow(db.kysely, userId);
  return user?.admin ? user : undefined;
}
