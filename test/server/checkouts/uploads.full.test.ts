import net from 'node:net';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { createProfileForm } from '#test/support/builders/profile-form.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createPlainPhoto } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';

const setup = await startDonationSetup();
const orgId = setup.orgId;
const { port } = new URL(setup.baseUrl);

/** All clients send the same buffer, so that they use little memory themselves. */
const CONTENT = Buffer.alloc(4 * 1_048_576);
const PART_HEADER = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';

/** Starts sending a 24 MB form, sends most of it, and leaves the request open. */
function beginUpload(checkoutId: string, megabytes: number) {
  const socket = net.connect(Number(port), '127.0.0.1').on('error', () => {});
  const requestHead = [
    `PUT ${callPath('submitProfile', { orgid: orgId, checkoutid: checkoutId })} HTTP/1.1`,
    'Host: a',
    'X-Requested-With: a',
  ];
  const contentHeaders = ['Content-Type: multipart/form-data; boundary=xx', 'Content-Length: 25165824'];
  socket.write(`${[...requestHead, ...contentHeaders].join('\r\n')}\r\n\r\n${PART_HEADER}`);
  const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  const sending = new Promise((resolve) => socket.write(CONTENT.subarray(0, megabytes * 1_048_576), resolve));
  return { response, sending, end: () => socket.destroy() };
}

test.each([
  ['doesn’t exist', async () => 'nosuchcheckout', '404 Not Found', 'checkout-not-found'],
  ['isn’t paid', async () => (await setup.openCheckout()).id, '409 Conflict', 'checkout-not-paid'],
])(
  'a form for a checkout that %s gets a response before its body is read',
  async (_title, findCheckout, status, code) => {
    const upload = beginUpload(await findCheckout(), 1);
    const response = await upload.response;
    expect(response).toContain(`HTTP/1.1 ${status}`);
    expect(response).toContain(code);
    upload.end();
  },
);

// @asvs 5.2.1
test('a paid checkout accepts twelve concurrent uploads, buffered on disk rather than in memory', async () => {
  const { id } = await setup.openAndPay();
  collectGarbage();
  const initialBytes = process.memoryUsage().arrayBuffers;
  const uploads = Array.from({ length: 12 }, () => beginUpload(id, 4));
  await Promise.all(uploads.map(({ sending }) => sending));
  const secondUpload = beginUpload(id, 1);
  const response = await secondUpload.response;
  expect(response).toContain('HTTP/1.1 429');
  expect(response.toLowerCase()).toContain('retry-after: 10');
  // Received data reaches the disk a moment later.
  const measureUsedBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - initialBytes;
  };
  await expect.poll(measureUsedBytes).toBeLessThan(12 * 1_048_576);
  for (const upload of [...uploads, secondUpload]) upload.end();
  const photo = await createPlainPhoto(96, 64).jpeg().toBuffer();
  const buildForm = () => createProfileForm({ checkoutId: id, photo });
  const submit = () =>
    sendForm(setup.baseUrl, 'submitProfile', { params: { orgid: orgId, checkoutid: id }, form: buildForm() });
  // Shorter than the server's timeout for unfinished forms.
  await expect.poll(async () => (await submit()).status, { timeout: 20_000 }).toBe(200);
});
