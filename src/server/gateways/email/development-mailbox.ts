import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isEmail } from '#domain/profile.ts';
import type { Mailbox, Mailer, StoredEmail } from './mailer.ts';
import type { Sender } from './smtp-mailer.ts';

export type MailboxOptions = {
  /** Contains one file per email. Created when the first email is stored. */
  readonly folder: string;
  readonly from: Sender;
  readonly now?: () => Date;
};

/** Maximum number of emails. The oldest ones are deleted. */
export const MAILBOX_CAPACITY = 500;

/**
 * Stores emails instead of sending them, so that they can be read in the browser. Sending the same email again changes
 * nothing.
 */
export function createDevelopmentMailbox({ folder, from, now = () => new Date() }: MailboxOptions): Mailer & Mailbox {
  let loadedEmails: Promise<Map<string, StoredEmail>> | undefined;
  const loadEmails = () => (loadedEmails ??= readFolder(folder));
  return {
    send: async (email) => {
      if (!isEmail(email.to)) throw new Error('The email was not sent: the recipient is not an email address');
      const emails = await loadEmails();
      const id = createHash('sha256').update(email.messageKey).digest('hex').slice(0, 32);
      if (emails.has(id)) return;
      const storedEmail = { ...email, id, from: `${from.name} <${from.address}>`, sentAt: now() };
      await writeEmail(folder, storedEmail);
      // Added only after the write succeeds, so that the email counts as unsent if the disk is full.
      emails.set(id, storedEmail);
      await removeOldest(folder, emails);
    },
    list: async () => sortNewestFirst(await loadEmails()),
    read: async (id) => (await loadEmails()).get(id),
  };
}

async function readFolder(folder: string): Promise<Map<string, StoredEmail>> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json'));
  const emails = await Promise.all(files.map(async (name) => readEmail(path.join(folder, name))));
  return new Map(emails.map((email) => [email.id, email]));
}

async function readEmail(file: string): Promise<StoredEmail> {
  const email: StoredEmail & { sentAt: string | Date } = JSON.parse(await readFile(file, 'utf8'));
  return { ...email, sentAt: new Date(email.sentAt) };
}

async function writeEmail(folder: string, email: StoredEmail): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = getFilePath(folder, email.id);
  // Write and rename, so that a crash leaves no partial email.
  await writeFile(`${file}.part`, JSON.stringify(email, null, 2));
  await rename(`${file}.part`, file);
}

async function removeOldest(folder: string, emails: Map<string, StoredEmail>): Promise<void> {
  for (const { id } of sortNewestFirst(emails).slice(MAILBOX_CAPACITY)) {
    emails.delete(id);
    await rm(getFilePath(folder, id), { force: true });
  }
}

function sortNewestFirst(emails: ReadonlyMap<string, StoredEmail>): StoredEmail[] {
  return [...emails.values()].reverse().sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
}

function getFilePath(folder: string, id: string): string {
  return path.join(folder, `${id}.json`);
}
