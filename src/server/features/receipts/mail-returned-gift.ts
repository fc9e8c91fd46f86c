import { dayText } from '#domain/days.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import type { ReceiptDocument } from '#domain/receipt.ts';
import type { AppDeps } from '#server/deps.ts';
import { facts, greetingTo, note, paragraph, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { giftLinkOf } from './mail-receipt.ts';
import type { ReturnTold } from './note-on-receipt.ts';
import { type DocumentDeps, documentOf, historyOf } from './receipt-document.ts';
import { receiptFilePath } from './receipt-link.ts';
import { receiptSource } from './receipt-sources.store.ts';
import { returnById } from './receipts.store.ts';

export type ReturnMailDeps = DocumentDeps & Pick<AppDeps, 'db' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails a donor that money of a gift went back, and what the receipt is good for since. If it changed before the
 * mail was sent, the next mail says so.
 * @throws when the mail server does not take it, so that the job is tried again
 */
export async function mailReturnedGift(
  deps: ReturnMailDeps,
  { returnId, status }: JobData['mail-returned-gift'],
): Promise<void> {
  const { db, mailer, publicUrl } = deps;
  const returned = await returnById(db.kysely, returnId);
  if (returned?.status !== status || !returned.email || !isEmail(returned.email)) return;
  const source = await receiptSource(db.kysely, { orgId: returned.org_id, number: returned.number });
  if (!source) return;
  const { kept } = await historyOf(db.kysely, source);
  const mail = returnMail({
    document: await documentOf(db.kysely, deps, source),
    kept,
    email: returned.email,
    amount: returned.amount_cents,
    status,
    fileLink: publicUrl() + receiptFilePath({ orgId: source.org_id, key: source.key }),
    giftLink: await giftLinkOf(db.kysely, publicUrl(), source),
    publicUrl: publicUrl(),
    messageKey: `returned-gift-${returnId}-${status}`,
  });
  await mailer.send(mail);
}

type ReturnMail = {
  readonly document: ReceiptDocument;
  /** How much of the gift was kept. */
  readonly kept: Cents;
  readonly email: string;
  /** What went back, or came back to the fund. */
  readonly amount: Cents;
  readonly status: ReturnTold;
  readonly fileLink: string;
  /** The page of a recurring gift. */
  readonly giftLink: string | undefined;
  readonly publicUrl: string;
  readonly messageKey: string;
};

export function returnMail(returned: ReturnMail): Mail {
  const { document, kept, email, amount, status, fileLink, giftLink, publicUrl, messageKey } = returned;
  const { number, program, donor, donee, givenOn, mark } = document;
  const { subject, title, row, sentence } = WORDS[status];
  const cents = formatCents(amount);
  return writeLetter({
    to: email,
    subject: `Your gift to ${program}: ${subject}`,
    preheader: title(cents, program),
    greeting: greetingTo(donor),
    title: title(cents, program),
    parts: [
      facts([
        [row, cents],
        ['Gift', formatCents(document.amount)],
        ['Date of gift', dayText(givenOn)],
        ['Receipt number', String(number)],
        ['Receipt now good for', formatCents(kept)],
      ]),
      paragraph(sentence),
      paragraph(mark ?? goodFor(number, kept)),
      ...(giftLink === undefined ? [] : [paragraph('Manage or stop this recurring gift:', giftLink)]),
      note('Your receipt, with a note of this:', fileLink),
    ],
    sender: [donee.name, `EIN ${donee.ein}`, donee.address, donee.contactEmail],
    publicUrl,
    messageKey,
  });
}

type Words = {
  readonly subject: string;
  readonly title: (cents: string, program: string) => string;
  readonly row: string;
  readonly sentence: string;
};

const WORDS: Readonly<Record<ReturnTold, Words>> = {
  succeeded: {
    subject: 'refund',
    title: (cents, program) => `We refunded ${cents} of your gift to ${program}.`,
    row: 'Refunded',
    sentence:
      'The money goes back to the card or bank account that paid. It can take some days until you see it there.',
  },
  lost: {
    subject: 'payment taken back',
    title: (cents, program) => `Your bank took back ${cents} of your gift to ${program}.`,
    row: 'Taken back',
    sentence: 'The payment was disputed or returned, so we no longer have the money.',
  },
  failed: {
    subject: 'refund failed',
    title: (cents, program) => `Your refund of ${cents} from ${program} failed.`,
    row: 'Refund that failed',
    sentence:
      'Your bank did not take the refund, so the money came back to us and counts as given again. If you want it back, please write to us.',
  },
};

function goodFor(number: number, kept: Cents): string {
  return kept === 0
    ? `Receipt no. ${number} is no longer good for your taxes.`
    : `For your taxes, receipt no. ${number} is now good for ${formatCents(kept)}.`;
}
