import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { Parent } from '#server/deps.ts';
import { button, note, paragraph } from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { senderLines } from '#server/gateways/mail/sender-lines.ts';
import { writeLetter } from '#server/gateways/mail/write-letter.ts';

export type NewEditorMail = {
  readonly email: string;
  /** The organisation's editors' area, by way of signing in. */
  readonly link: string;
  readonly orgName: string;
  /** Who gave the role, by name or by address. */
  readonly adder: string;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

/** Somebody who has an account already is told of having become an editor: nobody gets a role without knowing it. */
export function newEditorMail({ email, link, orgName, adder, parent, publicUrl, messageKey }: NewEditorMail): Mail {
  const said = `${adder} has made you an editor of ${orgName} at ${PROGRAM_NAME}.`;
  return writeLetter({
    to: email,
    subject: `You edit ${orgName} now`,
    preheader: said,
    greeting: 'Hello,',
    title: `You edit the site of ${orgName} now`,
    parts: [
      paragraph(said),
      paragraph('Editors change its texts, settings and stories, and see its checkouts.'),
      button('Open the editors’ area', link),
      note('If you do not want that, open Editors there, choose yourself, and press Delete.'),
    ],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey,
  });
}
