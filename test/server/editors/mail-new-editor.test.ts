import { expect, test } from 'vitest';
import { mailNewEditor } from '#server/features/editors/mail-new-editor.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { testDatabase } from '#test/support/database.ts';
import { wordsOf } from '#test/support/mail-words.ts';

const db = await testDatabase();

async function mailed(orgId: string, userId: string, addedBy: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  const deps = { db, parent: PARENT, publicUrl: () => 'https://fund.example', mailer };
  await mailNewEditor(deps, { orgId, userId, addedBy });
  return sent;
}

test('a new editor is told who gave the role, of which organization, and the way there and out again', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const [nora, edith] = [
    await addUser(db, { email: 'nora.new@example.org' }),
    await addUser(db, { display_name: 'Edith Editor' }),
  ];
  await addEditor(db, orgId, nora);
  const [mail] = await mailed(orgId, nora, edith);
  expect(mail).toMatchObject({ to: 'nora.new@example.org', subject: 'You edit Ithaca Climate Fund now' });
  const link = `https://fund.example/login?return_to=${encodeURIComponent(`/orgs/${orgId}/editor/`)}`;
  for (const part of [mail?.text, wordsOf(mail?.html ?? '')]) {
    expect(part).toContain('Edith Editor has made you an editor of Ithaca Climate Fund');
    expect(part).toContain('press Delete');
  }
  for (const part of [mail?.text, mail?.html]) expect(part).toContain(link);
});

test('of a role that was given by somebody who is gone it is the organization that tells', async () => {
  const orgId = await addOrg(db, { name: 'Fund of the Hill' });
  const editor = await addUser(db);
  await addEditor(db, orgId, editor);
  const [mail] = await mailed(orgId, editor, 'gone');
  expect(mail?.text).toContain('Fund of the Hill has made you an editor');
});

test('of a role that was taken back meanwhile nothing is mailed', async () => {
  const somebody = await addUser(db);
  expect(await mailed(await addOrg(db), somebody, somebody)).toEqual([]);
});
