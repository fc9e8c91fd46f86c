import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer } from 'smtp-server';

export type MailSink = {
  readonly url: string;
  /** How many different mails came, and how many of them more than once. */
  counts(): { readonly mails: number; readonly twice: number };
  close(): Promise<void>;
};

/** A mail server that takes every mail and counts it. */
export async function startMailSink(): Promise<MailSink> {
  const received = new Map<string, number>();
  const receive = async (stream: Readable) => {
    const id = /^message-id: *(\S+)/im.exec(await text(stream))?.[1] ?? '';
    received.set(id, (received.get(id) ?? 0) + 1);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      callbackify(receive)(stream, done);
    },
  });
  // A client that is killed ends its connection like this.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    counts: () => ({ mails: received.size, twice: [...received.values()].filter((times) => times > 1).length }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
