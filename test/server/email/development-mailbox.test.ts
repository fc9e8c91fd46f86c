import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createDevelopmentMailbox, MAILBOX_CAPACITY } from '#server/gateways/email/development-mailbox.ts';
import { createTestClock } from '#test/support/clock.ts';

const root = await fs.mkdtemp(path.join(os.tmpdir(), 'city-climate-fund-mailbox-'));
afterAll(() => fs.rm(root, { recursive: true, force: true }));

const from = { name: 'Fund', address: 'contact@fund.example' };
const clock = createTestClock();
let folderCount = 0;

function newFolder(): string {
  folderCount += 1;
  return path.join(root, String(folderCount));
}

function openMailbox(folder: string) {
  return createDevelopmentMailbox({ folder, from, now: clock.now });
}

function buildEmail(messageKey: string) {
  return { to: 'paula@example.org', subject: `Mail ${messageKey}`, text: 'text', html: '<p>html</p>', messageKey };
}

test('emails are listed newest first and can be read', async () => {
  const mailbox = openMailbox(newFolder());
  expect(await mailbox.list()).toEqual([]);
  await mailbox.send(buildEmail('1'));
  clock.advance(1000);
  await mailbox.send(buildEmail('2'));
  await mailbox.send(buildEmail('3'));
  const list = await mailbox.list();
  expect(list.map(({ subject }) => subject)).toEqual(['Mail 3', 'Mail 2', 'Mail 1']);
  expect(list[0]).toMatchObject({ from: 'Fund <contact@fund.example>', sentAt: clock.now() });
  expect(await mailbox.read(list[2]?.id ?? '')).toEqual(list[2]);
  expect(await mailbox.read('unknown')).toBeUndefined();
});

test('an email sent twice is listed once', async () => {
  const mailbox = openMailbox(newFolder());
  const sentAt = clock.now();
  await mailbox.send(buildEmail('same'));
  clock.advance(1000);
  await mailbox.send(buildEmail('same'));
  expect(await mailbox.list()).toMatchObject([{ sentAt }]);
});

test('an email that couldn’t be written isn’t sent and can be sent again', async () => {
  const folder = newFolder();
  await fs.writeFile(folder, 'in the way');
  const mailbox = openMailbox(folder);
  await expect(mailbox.send(buildEmail('late'))).rejects.toThrow();
  expect(await mailbox.list()).toEqual([]);
  await fs.rm(folder);
  await mailbox.send(buildEmail('late'));
  expect(await mailbox.list()).toHaveLength(1);
});

test('emails survive a restart without duplicates', async () => {
  const folder = newFolder();
  await openMailbox(folder).send(buildEmail('kept'));
  const reopenedMailbox = openMailbox(folder);
  expect(await reopenedMailbox.list()).toMatchObject([{ subject: 'Mail kept', sentAt: clock.now() }]);
  await reopenedMailbox.send(buildEmail('kept'));
  expect(await reopenedMailbox.list()).toHaveLength(1);
});

test('the last 500 emails are kept, and the folder stays bounded', async () => {
  const folder = newFolder();
  const mailbox = openMailbox(folder);
  for (let number = 1; number <= MAILBOX_CAPACITY + 5; number += 1) {
    clock.advance(1);
    await mailbox.send(buildEmail(`${number}`));
  }
  const list = await mailbox.list();
  expect(list).toHaveLength(MAILBOX_CAPACITY);
  expect(list.at(-1)?.subject).toBe('Mail 6');
  expect(await fs.readdir(folder)).toHaveLength(MAILBOX_CAPACITY);
});

test('an invalid address is rejected, as by SMTP', async () => {
  const mailbox = openMailbox(newFolder());
  const to = 'paula@example.org\r\nBcc: all@example.org';
  await expect(mailbox.send({ ...buildEmail('bad'), to })).rejects.toThrow('not an email address');
  expect(await mailbox.list()).toEqual([]);
});
