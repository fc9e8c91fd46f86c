import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isEmail } from '#domain/profile.ts';
import type { Mailbox, Mailer, StoredEmail } from './mailer.ts';
import type { Sender } from './smtp-mailer.ts';

export type MailboxOptions = {
  /** Contains one file per email. Created with the first one. */
  readonly folder: string;
  readonly from: Sender;
  readonly now?: () => Date;
};

/** Maximum number of emails. The oldest ones are deleted. */
export const MAILBOX_CAPACITY = 500;

/** Stores emails instead of sending them, so that they can be read in the browser. Sending one again changes nothing. */
export function developmentMailbox({ folder, from, now = () => new Date() }: MailboxOptions): Mailer & Mailbox {
  let loadedMails: Promise<Map<string, StoredEmail>> | undefined;
  const loadEmails = () => (loadedMails ??= readFolder(folder));
  return {
    send: async (mail) => {
      if (!isEmail(mail.to)) throw new Error('A mail was not sent: its recipient is not an email address');
      const emails = await loadEmails();
      const id = createHash('sha256').update(mail.messageKey).digest('hex').slice(0, 32);
      if (emails.has(id)) return;
      const storedMail = { ...mail, id, from: `${from.name} <${from.address}>`, sentAt: now() };
      await writeMail(folder, storedMail);
      // Only after the write: if the disk is full, the email counts as unsent.
      emails.set(id, storedMail);
      await removeOldest(folder, emails);
    },
    list: async () => newestFirst(await loadEmails()),
    read: async (id) => (await loadEmails()).get(id),
    close: async () => {},
  };
}

async function readFolder(folder: string): Promise<Map<string, StoredEmail>> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json'));
  const mails = await Promise.all(files.map(async (name) => readMail(path.join(folder, name))));
  return new Map(mails.map((mail) => [mail.id, mail]));
}

async function readMail(file: string): Promise<StoredEmail> {
  const mail: StoredEmail & { sentAt: string | Date } = JSON.parse(await readFile(file, 'utf8'));
  return { ...mail, sentAt: new Date(mail.sentAt) };
}

async function writeMail(folder: string, mail: StoredEmail): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = fileOf(folder, mail.id);
  // Renamed into place, so that a crash leaves no partial email.
  await writeFile(`${file}.part`, JSON.stringify(mail, null, 2));
  await rename(`${file}.part`, file);
}

async function removeOldest(folder: string, mails: Map<string, StoredEmail>): Promise<void> {
  for (const { id } of newestFirst(mails).slice(MAILBOX_CAPACITY)) {
    mails.delete(id);
    await rm(fileOf(folder, id), { force: true });
  }
}

function newestFirst(mails: ReadonlyMap<string, StoredEmail>): StoredEmail[] {
  return [...mails.values()].reverse().sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
}

function fileOf(folder: string, id: string): string {
  return path.join(folder, `${id}.json`);
}
