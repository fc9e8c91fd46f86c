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

/** What has begun, what it means, and what to do. */
const SAYS: Readonly<Record<AlarmName, { readonly title: string; readonly over: string; readonly text: string }>> = {
  'webhook-secret': {
    title: 'Reports of payments are refused',
    over: 'Reports of payments arrive again',
    text: 'Payments are being made, and the reports of the card processor about them are not signed with STRIPE_WEBHOOK_SECRET. No gift is lost: the program asks the processor every minute. Receipts and refunds come later than they should. Please compare STRIPE_WEBHOOK_SECRET with the signing secret of the webhook at Stripe, and start the program again.',
  },
  'webhooks-silent': {
    title: 'Reports of payments do not arrive',
    over: 'Reports of payments arrive again',
    text: 'Payments are being made, and the card processor’s reports about them do not arrive. No gift is lost: the program asks the processor every minute. Receipts and refunds come later than they should. Please look at the webhook’s page at Stripe: whether it is enabled, and what its last deliveries were answered.',
  },
  'jobs-old': {
    title: 'Work is not being done',
    over: 'Work is being done again',
    text: 'Work that was to be done at once, such as mailing a receipt, has waited for more than a quarter of an hour. Nothing is lost. Please look at the program’s log for errors, and start the program again if it shows none.',
  },
  'mails-failing': {
    title: 'Mails cannot be sent',
    over: 'Mails are sent again',
    text: 'For more than a quarter of an hour no mail was sent, and some were tried again and again: receipts, and links to log in. They are tried for about a day. Please look at the mail server, and at SMTP_URL: its address, name and password. The program’s log names the server’s code.',
  },
  'books-unverified': {
    title: 'The books were not verified',
    over: 'The books were verified',
    text: `Each night the program adds up its books and compares them. It has not done so for two days. Please look at its log, and run “${commandLine('verify-ledger')}” by hand.`,
  },
  'books-differ': {
    title: 'The books do not add up',
    over: 'The books add up again',
    text: `When the program added up its books last night, something did not agree. Please run “${commandLine('verify-ledger')}”, which prints each difference, and keep a copy of the database before anything is changed. Do not restore a backup before you know what happened.`,
  },
  'provider-differs': {
    title: 'The books differ from the card processor',
    over: 'The books agree with the card processor again',
    text: `Each night the program compares its books with the movements at the card processor. Since both last agreed, something is on one side only, or with another amount. Please run “${commandLine('verify-ledger')} --provider”, which prints each difference.`,
  },
  'events-failing': {
    title: 'A report of the card processor cannot be recorded',
    over: 'All reports of the card processor are recorded',
    text: 'The program tried five times. The books lack what it reports, and it is listed under “Needs attention” with its money. It is tried again each hour. Please look at the program’s log for the error, and compare with the card processor.',
  },
  'backup-old': {
    title: 'There is no recent backup',
    over: 'There is a recent backup again',
    text: 'The last backup was made more than two days ago, although backups are set up. Please look at the program’s log for the reason: often the place where they go is full, or its password has changed.',
  },
  'database-was-out': {
    title: 'The database was out of reach',
    over: 'The database has answered for an hour',
    text: 'It answers again. Meanwhile nobody could give or log in; nothing acknowledged is lost, and the card processor sends its reports again. The program’s log says when it began, and how many seconds it took. Please look at the database’s own log, unless you stopped it yourself.',
  },
  'disk-low': {
    title: 'A disk is nearly full',
    over: 'A disk has room again',
    text: 'Once it is full, nobody can give and nothing is saved until there is room; nothing acknowledged is lost. Please delete what is not needed, or make the disk larger.',
  },
};

/** An address of ALARM_EMAILS, or an admin. */
const alarmReader = z.union([z.object({ email: z.string() }), z.object({ userId: z.string() })]);
export type AlarmReader = z.infer<typeof alarmReader>;

/** Emails an operator or admin that an alarm began or ended. */
export const sendAlarmEmail = defineJob({
  name: 'send-alarm-email',
  payload: z.object({
    to: alarmReader,
    alarm: z.enum(ALARMS),
    change: z.enum(['began', 'over']),
    at: z.string(),
    host: z.string().optional(),
  }),
  async run({ db, parent, publicUrl, mailer }: Deps, { to, alarm, change, at, host }) {
    const reader = 'email' in to ? { email: to.email, display_name: '' } : await admin(db, to.userId);
    const says = SAYS[alarm];
    if (!reader || !says) return;
    const title = change === 'began' ? says.title : says.over;
    const where = host === undefined ? '' : ` It is the one of the machine ${host}.`;
    const began = [paragraph(`${says.text}${where}`), note('You get one more mail, when this is over.')];
    const over = [paragraph(`What we mailed you about (“${says.title}”) is over.${where}`)];
    await mailer.send(
      writeLetter({
        to: reader.email,
        subject: title,
        preheader: change === 'began' ? 'Please have a look.' : 'There is nothing to do.',
        greeting: greetingTo(reader.display_name),
        title,
        parts: change === 'began' ? began : over,
        sender: senderLines(parent, publicUrl()),
        publicUrl: publicUrl(),
        messageKey: `alarm-${alarm}-${host ?? ''}-${change}-${Date.parse(at)}-${reader.email}`,
      }),
    );
  },
});

async function admin(db: AppDeps['db'], userId: UserId) {
  const user = await userById(db.kysely, userId);
  return user?.admin ? user : undefined;
}
