import { z } from 'zod';
import { ALARMS, type AlarmName } from '#domain/alarms.ts';
import type { UserId } from '#domain/ids.ts';
import type { AppDeps } from '#server/deps.ts';
import { userById } from '#server/entities/find-user.ts';
import { greetingTo, note, paragraph, senderLines, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { commandLine } from '#server/program/program-file.ts';

type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/** Texts of the emails: the problem, its consequences, and its solution. */
const TEXTS: Readonly<Record<AlarmName, { readonly title: string; readonly over: string; readonly text: string }>> = {
  'webhook-secret': {
    title: 'Payment reports are rejected',
    over: 'Payment reports arrive again',
    text: 'Payments are being made, but the card processor’s reports about them aren’t signed with STRIPE_WEBHOOK_SECRET. No gift is lost, because the program also checks with the processor every minute. Receipts and refunds are delayed. Please compare STRIPE_WEBHOOK_SECRET with the webhook’s signing secret at Stripe, and restart the program.',
  },
  'webhooks-silent': {
    title: 'Payment reports don’t arrive',
    over: 'Payment reports arrive again',
    text: 'Payments are being made, but the card processor’s reports about them don’t arrive. No gift is lost, because the program also checks with the processor every minute. Receipts and refunds are delayed. Please check the webhook’s page at Stripe: is it enabled, and what responses did its last deliveries get?',
  },
  'jobs-old': {
    title: 'Background work is stuck',
    over: 'Background work is running again',
    text: 'Work that should run immediately, such as emailing a receipt, has been waiting for more than 15 minutes. Nothing is lost. Please check the program’s log for errors. If there are none, restart the program.',
  },
  'mails-failing': {
    title: 'Emails can’t be sent',
    over: 'Emails are sent again',
    text: 'No email has been sent for more than 15 minutes, and several tries failed. Receipts and login links are waiting. The program keeps trying for about a day. Please check the mail server, and the address, user name, and password in SMTP_URL. The program’s log shows the server’s error code.',
  },
  'books-unverified': {
    title: 'The books weren’t verified',
    over: 'The books were verified',
    text: `The program verifies its books each night, but has not done so for two days. Please check its log, and run “${commandLine('verify-ledger')}”.`,
  },
  'books-differ': {
    title: 'The books don’t add up',
    over: 'The books add up again',
    text: `The program found a difference when it verified its books last night. Please run “${commandLine('verify-ledger')}”, which prints each difference. Save a copy of the database before you change anything. Don’t restore a backup before you know what happened.`,
  },
  'provider-differs': {
    title: 'The books differ from the card processor',
    over: 'The books agree with the card processor again',
    text: `Each night, the program compares its books with the card processor. It found money that is only on one side, or has different amounts. Please run “${commandLine('verify-ledger')} --provider”, which prints each difference.`,
  },
  'events-failing': {
    title: 'A report from the card processor can’t be recorded',
    over: 'All reports from the card processor are recorded',
    text: 'The program tried five times, and tries again every hour. Until it succeeds, the books are incomplete, and the report is listed with its amount under “Needs attention”. Please check the program’s log for the error, and compare with the card processor.',
  },
  'backup-old': {
    title: 'There is no recent backup',
    over: 'There is a recent backup again',
    text: 'Backups are set up, but the last one is more than two days old. Please check the program’s log for the reason. Often the backup storage is full, or its password has changed.',
  },
  'database-was-out': {
    title: 'The database was unavailable',
    over: 'The database has been available for an hour',
    text: 'The database is available again. During the outage, nobody could give or log in. No confirmed gift is lost, and the card processor sends its reports again. The program’s log shows when the outage began and how long it took. Please check the database’s own log, unless you stopped the database yourself.',
  },
  'disk-low': {
    title: 'A disk is nearly full',
    over: 'A disk has room again',
    text: 'When the disk is full, nobody can give and nothing can be saved. No confirmed gift is lost. Please delete unneeded files, or enlarge the disk.',
  },
};

/** An address from ALARM_EMAILS, or an admin. */
const alarmRecipient = z.union([z.object({ email: z.string() }), z.object({ userId: z.string() })]);
export type AlarmRecipient = z.infer<typeof alarmRecipient>;

/** Emails an operator or admin that an alarm began or ended. */
export const sendAlarmEmail = defineJob({
  name: 'send-alarm-email',
  payload: z.object({
    to: alarmRecipient,
    alarm: z.enum(ALARMS),
    change: z.enum(['began', 'over']),
    at: z.string(),
    host: z.string().optional(),
  }),
  async run({ db, parent, publicUrl, mailer }: Deps, { to, alarm, change, at, host }) {
    const recipient = 'email' in to ? { email: to.email, display_name: '' } : await findAdmin(db, to.userId);
    const texts = TEXTS[alarm];
    if (!recipient || !texts) return;
    const title = change === 'began' ? texts.title : texts.over;
    const machine = host === undefined ? '' : ` This is about the machine ${host}.`;
    const beginning = [
      paragraph(`${texts.text}${machine}`),
      note('You’ll get one more email when the problem is solved.'),
    ];
    const end = [paragraph(`The problem “${texts.title}” is solved.${machine}`)];
    await mailer.send(
      writeLetter({
        to: recipient.email,
        subject: title,
        preheader: change === 'began' ? 'Please have a look.' : 'You don’t need to do anything.',
        greeting: greetingTo(recipient.display_name),
        title,
        parts: change === 'began' ? beginning : end,
        sender: senderLines(parent, publicUrl()),
        publicUrl: publicUrl(),
        messageKey: `alarm-${alarm}-${host ?? ''}-${change}-${Date.parse(at)}-${recipient.email}`,
      }),
    );
  },
});

async function findAdmin(db: AppDeps['db'], userId: UserId) {
  const user = await userById(db.kysely, userId);
  return user?.admin ? user : undefined;
}
