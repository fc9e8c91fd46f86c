import { expect, test } from 'vitest';
import { mailInvitation } from '#server/features/editors/mail-invitation.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { testDatabase } from '#test/support/database.ts';

const db = await testDatabase();

async function mailed(orgId: string, invitationId: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  const deps = { db, parent: PARENT, publicUrl: () => 'https://fund.example', mailer };
  await mailInvitation(deps, { orgId, invitationId });
  return sent;
}

test('an invitation says who asks, for which organization, and leads through sign-in to the editors’ area', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const inviter = await addUser(db, { display_name: 'Edith Editor' });
  const [mail] = await mailed(orgId, await addInvitation(db, orgId, { email: 'ivo@example.org', invited_by: inviter }));
  expect(mail).toMatchObject({ to: 'ivo@example.org' });
  expect(mail?.text).toContain('Edith Editor');
  expect(mail?.text).toContain('Ithaca Climate Fund');
  const link = `https://fund.example/login?return_to=${encodeURIComponent(`/orgs/${orgId}/editor/`)}`;
  for (const part of [mail?.text, mail?.html]) expect(part).toContain(link);
});

test('an inviter without a name is called by the address; one who is gone, by the organization', async () => {
  const orgId = await addOrg(db, { name: 'Fund of the Hill' });
  const nameless = await addUser(db, { display_name: '', email: 'nameless@example.org' });
  const [first] = await mailed(orgId, await addInvitation(db, orgId, { invited_by: nameless }));
  expect(first?.text).toContain('nameless@example.org asks you');
  const [second] = await mailed(orgId, await addInvitation(db, orgId));
  expect(second?.text).toContain('Fund of the Hill asks you');
});

test('an invitation that was withdrawn meanwhile is not mailed', async () => {
  expect(await mailed(await addOrg(db), 'gone')).toEqual([]);
});
