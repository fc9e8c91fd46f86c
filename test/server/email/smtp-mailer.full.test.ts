import net, { type AddressInfo, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server';
import { afterAll, expect, test } from 'vitest';
import { EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { createSmtpMailer } from '#server/gateways/email/smtp-mailer.ts';

type Delivery = { readonly from: string; readonly to: readonly string[]; readonly email: Email };

const deliveries: Delivery[] = [];
let recipientError: { readonly message: string; readonly responseCode: number } | undefined;
let senderError: typeof recipientError;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onMailFrom: (_address, _session, done) =>
    done(senderError ? Object.assign(new Error(senderError.message), senderError) : null),
  onRcptTo: (_address, _session, done) =>
    done(recipientError ? Object.assign(new Error(recipientError.message), recipientError) : null),
  onData: (stream, { envelope }, done) => {
    callbackify(receive)(stream, envelope, done);
  },
});

async function receive(stream: Readable, { mailFrom, rcptTo }: SMTPServerEnvelope): Promise<void> {
  const email = await PostalMime.parse(await buffer(stream));
  const from = mailFrom === false ? '' : mailFrom.address;
  deliveries.push({ from, to: rcptTo.map(({ address }) => address), email });
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.server.address() as AddressInfo;
const sender = { from: { name: 'Fund, Ithaca', address: 'contact@fund.example' } };
const mailer = createSmtpMailer({ ...sender, url: `smtp://127.0.0.1:${port}` });
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const email = {
  to: 'paula@example.org',
  subject: 'Your gift – receipt no. 12',
  text: 'Thank you.\n',
  html: '<p>Thank you.</p>',
  messageKey: 'receipt-ithaca-12',
};

test('an email arrives with both parts, from the fund, to one recipient', async () => {
  await mailer.send(email);
  const delivery = deliveries.at(-1);
  expect(delivery).toMatchObject({ from: 'contact@fund.example', to: ['paula@example.org'] });
  expect(delivery?.email).toMatchObject({
    subject: email.subject,
    from: { name: 'Fund, Ithaca', address: 'contact@fund.example' },
  });
  expect(delivery?.email.text?.trim()).toBe(email.text.trim());
  expect(delivery?.email.html?.trim()).toBe(email.html);
});

// @asvs 5.4.2
test('an attachment arrives unchanged', async () => {
  const base64 = Buffer.from('%PDF-1.7 \u0000 ö').toString('base64');
  await mailer.send({ ...email, attachments: [{ name: 'receipt-12.pdf', type: 'application/pdf', base64 }] });
  const [file] = deliveries.at(-1)?.email.attachments ?? [];
  expect(file).toMatchObject({ filename: 'receipt-12.pdf', mimeType: 'application/pdf' });
  expect(Buffer.from(file?.content as ArrayBuffer).toString('base64')).toBe(base64);
});

test('a picture in the HTML part arrives inline, under its content id', async () => {
  const picture = { name: 'street.png', type: 'image/png', base64: 'iVBORw0KGgo=', contentId: 'street.png' };
  await mailer.send({ ...email, html: '<img src="cid:street.png" alt="">', attachments: [picture] });
  const [file] = deliveries.at(-1)?.email.attachments ?? [];
  expect(file).toMatchObject({ contentId: '<street.png>', disposition: 'inline', related: true });
});

test('retries of an email share its Message-ID, and other emails have their own', async () => {
  await mailer.send(email);
  await mailer.send(email);
  await mailer.send({ ...email, messageKey: 'receipt-ithaca-13' });
  const [first, second, third] = deliveries.slice(-3).map((delivery) => delivery.email.messageId);
  expect(first).toMatch(/^<[0-9a-f]{32}@fund\.example>$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

// @asvs 1.3.11
test.each([
  'paula@example.org\r\nRCPT TO:<mallory@example.org>',
  'paula@example.org, mallory@example.org',
  'Paula <paula@example.org>',
  'paula@example.org\n',
  '',
])('the recipient %j is rejected before anything is sent', async (to) => {
  const initialCount = deliveries.length;
  await expect(mailer.send({ ...email, to })).rejects.toThrow('not an email address');
  expect(deliveries.length).toBe(initialCount);
});

// @asvs 1.3.11
test('a line break in a subject adds no header', async () => {
  await mailer.send({ ...email, subject: 'Hello\r\nBcc: mallory@example.org' });
  const delivery = deliveries.at(-1);
  expect(delivery?.to).toEqual(['paula@example.org']);
  expect(delivery?.email.bcc).toBeUndefined();
});

test('a temporary rejection by the server is an error', async () => {
  recipientError = { message: 'mailbox full', responseCode: 452 };
  const sending = mailer.send(email);
  await expect(sending).rejects.toThrow('mailbox full');
  await expect(sending).rejects.not.toBeInstanceOf(EmailRejectedError);
  recipientError = undefined;
});

test('a permanent rejection is reported without the address', async () => {
  recipientError = { message: 'no such user paula@example.org', responseCode: 550 };
  await expect(mailer.send(email)).rejects.toEqual(new EmailRejectedError('550'));
  recipientError = undefined;
});

test('a server that rejects our sender address may accept the email later', async () => {
  senderError = { message: 'sender not allowed', responseCode: 550 };
  const sending = mailer.send(email);
  await expect(sending).rejects.toThrow('sender not allowed');
  await expect(sending).rejects.not.toBeInstanceOf(EmailRejectedError);
  senderError = undefined;
  await mailer.send(email);
});

test('with required TLS, no email is sent to a server without TLS', async () => {
  const initialCount = deliveries.length;
  await expect(sendWithTls(port)).rejects.toThrow('STARTTLS');
  expect(deliveries.length).toBe(initialCount);
});

// @asvs 12.3.2
test('with required TLS, no email is sent to a server with an untrusted certificate', async () => {
  const recipients: string[] = [];
  const untrustedServer = new SMTPServer({
    authOptional: true,
    onRcptTo: ({ address }, _session, done) => {
      recipients.push(address);
      done();
    },
  });
  await new Promise<void>((resolve) => untrustedServer.listen(0, '127.0.0.1', resolve));
  // The server reports the closed connection as an error.
  untrustedServer.on('error', () => {});
  await expect(sendWithTls((untrustedServer.server.address() as AddressInfo).port)).rejects.toThrow('certificate');
  expect(recipients).toEqual([]);
  await new Promise<void>((resolve) => untrustedServer.close(() => resolve()));
});

test.each([
  ['never responds', () => undefined],
  ['sends only a greeting', (socket: Socket) => void socket.write('220 mail.example\r\n')],
  ['never finishes its reply', respondSlowly],
])('a mail server that %s delays an email for a limited time and is then disconnected', async (_title, greet) => {
  const disconnection = Promise.withResolvers<void>();
  const silentServer = net.createServer((socket) => {
    greet(socket);
    socket.on('error', () => {}).on('data', () => {});
    socket.once('close', () => disconnection.resolve());
  });
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  const silentPort = (silentServer.address() as AddressInfo).port;
  const limitedMailer = createSmtpMailer({ ...sender, url: `smtp://127.0.0.1:${silentPort}`, sendTimeoutMs: 300 });
  await expect(limitedMailer.send(email)).rejects.toMatchObject({ code: 'EABORT' });
  await disconnection.promise;
  silentServer.close();
});

/** Sends the lines of a reply that never ends. */
function respondSlowly(socket: Socket): void {
  socket.write('220 mail.example\r\n');
  const timer = setInterval(() => socket.write('250-wait\r\n'), 20);
  socket.once('close', () => clearInterval(timer));
}

async function sendWithTls(serverPort: number): Promise<void> {
  const from = { name: 'Fund', address: 'contact@fund.example' };
  await createSmtpMailer({ url: `smtp://127.0.0.1:${serverPort}`, from, requireTls: true }).send(email);
}
