import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { Parent } from '#server/deps.ts';
import { button, note, paragraph } from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { senderLines } from '#server/gateways/mail/sender-lines.ts';
import { writeLetter } from '#server/gateways/mail/write-letter.ts';

export type InvitationMail = {
  readonly invitationId: string;
  readonly email: string;
  /** Where an account is made, or signed in to, on the way to the organisation's editors' area. */
  readonly link: string;
  readonly orgName: string;
  /** Who asks, by name or by address. */
  readonly inviter: string;
  readonly parent: Parent;
  readonly publicUrl: string;
};

/** Somebody whose address has no account is asked to edit an organisation's site (decisions §4). */
export function invitationMail(invitation: InvitationMail): Mail {
  const { email, orgName, parent, publicUrl } = invitation;
  const said = `${invitation.inviter} asks you to edit the site of ${orgName} at ${PROGRAM_NAME}.`;
  return writeLetter({
    to: email,
    subject: `An invitation to edit ${orgName}`,
    preheader: said,
    greeting: 'Hello,',
    title: `Edit the site of ${orgName}`,
    parts: [
      paragraph(said),
      paragraph('Editors change its texts, settings and stories, and see its checkouts.'),
      button('Accept the invitation', invitation.link),
      note(`It is for ${email} alone: sign in with this address, and you are an editor.`),
      note('It stays open until you accept it or an editor withdraws it.'),
      note('If you do not know what this is about, you need not do anything: nothing will happen.'),
    ],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey: `invitation-${invitation.invitationId}`,
  });
}
