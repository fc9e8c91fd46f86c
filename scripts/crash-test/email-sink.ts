import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer } from 'smtp-server';

export type EmailSink = {
  readonly url: string;
  /** Counts distinct emails, and lists the start of each duplicate's subject. */
  countEmails(): { readonly emails: number; readonly duplicates: readonly string[] };
  close(): Promise<void>;
};

/** A mail server that accepts and counts every email. */
export async function startEmailSink(): Promise<EmailSink> {
  const subjects = new Map<string, string>();
  const duplicates = new Map<string, string>();
  const receive = async (stream: Readable) => {
    const email = await text(stream);
    const id = /^message-id: *(\S+)/im.exec(email)?.[1] ?? '';
    const subject = /^subject: *(\w+ \w+ \w+)/im.exec(email)?.[1] ?? '';
    if (subjects.has(id)) duplicates.set(id, subject);
    subjects.set(id, subject);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      callbackify(receive)(stream, done);
    },
  });
  // A killed client causes a connection error.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    countEmails: () => ({ emails: subjects.size, duplicates: [...duplicates.values()] }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
