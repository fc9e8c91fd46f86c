import type { Parent } from '#server/deps.ts';
import { button, note, paragraph } from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { senderLines } from '#server/gateways/mail/sender-lines.ts';
import { writeLetter } from '#server/gateways/mail/write-letter.ts';

export type StoryMail = {
  readonly email: string;
  /** The name as the public sees it. */
  readonly name: string;
  readonly orgName: string;
  /** Where the story is shown. */
  readonly link: string;
  readonly parent: Parent;
  readonly publicUrl: string;
  /** Names this publication of the story. */
  readonly messageKey: string;
};

/** Whoever told a story that waited for an editor hears that it is shown (decisions §5). */
export function storyMail({ email, name, orgName, link, parent, publicUrl, messageKey }: StoryMail): Mail {
  return writeLetter({
    to: email,
    subject: `Your story is published at ${orgName}`,
    preheader: 'Everybody can read it now.',
    greeting: `Hello ${name},`,
    title: 'Your story is published',
    parts: [
      paragraph(`Thank you for telling why you gave. Your story now stands among the offsetters of ${orgName}.`),
      button('Read your story', link),
      note('To change it, or not to be shown any more, sign in with this address and open “My profile”.'),
    ],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey,
  });
}
