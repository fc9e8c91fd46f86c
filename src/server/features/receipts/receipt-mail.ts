import { type CartItem, recurringSuffix } from '#domain/cart.ts';
import { RECEIPT_LINK_DAYS } from '#domain/checkout.ts';
import { chargeOf, formatCents } from '#domain/money.ts';
import type { Parent } from '#server/deps.ts';
import { button, facts, heading, type LetterPart, note, paragraph } from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { writeLetter } from '#server/gateways/mail/write-letter.ts';
import { dateText } from './date-text.ts';
import { repeatLines } from './repeat-lines.ts';

/** All that stands in a receipt (decisions §3). */
export type Receipt = {
  readonly orgId: string;
  readonly orgName: string;
  readonly number: number;
  readonly email: string;
  readonly name: string | undefined;
  /** In cents. */
  readonly amount: number;
  readonly issuedAt: Date;
  /** For a recurring gift, when the provider will charge it again, where it said so. */
  readonly nextChargeAt: Date | undefined;
  /** None for a check. */
  readonly items: readonly CartItem[];
  /** Where the story is told; a check has no checkout to tell it at. */
  readonly link: string | undefined;
  readonly parent: Parent;
  readonly publicUrl: string;
  /** Whether it was paid in the sandbox: then it must not be taken for a receipt. */
  readonly sandbox: boolean;
  /** Names a mailing that an editor asked for: mail programs hide a second mail of the same key. */
  readonly again?: string | undefined;
};

const NO_GOODS = 'No goods or services were provided in exchange for this gift.';
const NO_MONEY = 'Sandbox: no money moved. This is not a receipt for tax purposes.';
const LINK_HELP = `This link stays open for ${RECEIPT_LINK_DAYS} days. It is yours alone: please do not pass it on.`;

/** The mail of a receipt. The same receipt makes the same mail, whenever it is sent again. */
export function receiptMail(receipt: Receipt): Mail {
  const repeats = repeatLines(receipt);
  return writeLetter({
    to: receipt.email,
    subject: `Your gift to ${receipt.orgName}: receipt no. ${receipt.number}`,
    preheader: thanks(receipt),
    greeting: receipt.name ? `Dear ${receipt.name},` : 'Hello,',
    title: thanks(receipt),
    parts: [
      facts(factsOf(receipt)),
      heading('What it is for'),
      facts(linesOf(receipt)),
      ...(repeats.length === 0 ? [] : [heading('What repeats')]),
      ...repeats.map((line) => paragraph(line)),
      ...wayToStory(receipt),
      paragraph(statement(receipt)),
    ],
    sender: donee(receipt.parent),
    publicUrl: receipt.publicUrl,
    messageKey: ['receipt', receipt.orgId, receipt.number, receipt.again].filter(Boolean).join('-'),
  });
}

function factsOf({ number, issuedAt, amount, orgName, parent }: Receipt): [string, string][] {
  return [
    ['Receipt number', String(number)],
    // Where the donor is, nobody knows.
    ['Date', `${dateText(issuedAt)} (UTC)`],
    ['Given to', `${parent.name} (EIN ${parent.ein}), for its program ${orgName}`],
    ['Amount', formatCents(amount)],
  ];
}

function linesOf({ items, amount }: Receipt): [string, string][] {
  if (items.length === 0) return [['Donation by check', formatCents(amount)]];
  return items.map((item) => [describe(item), chargeText(item)]);
}

function wayToStory({ link }: Receipt): LetterPart[] {
  if (link === undefined) return [];
  return [
    paragraph('Tell your story, or see where your gift stands.'),
    button('Tell your story', link),
    note(LINK_HELP),
  ];
}

function statement({ sandbox }: Receipt): string {
  return sandbox ? `${NO_MONEY} ${NO_GOODS}` : NO_GOODS;
}

function thanks({ orgName, amount }: Receipt): string {
  return `Thank you for your gift of ${formatCents(amount)} to ${orgName}.`;
}

/** "Air travel, Offset 3,864 lbs carbon"; a donation's description names it already. */
function describe({ title, description, recurring, recurringInterval }: CartItem): string {
  const name = description.startsWith(title) ? description : `${title}, ${description}`;
  return `${name} ${recurringSuffix(recurring, recurringInterval)}`.trim();
}

function chargeText({ cost }: CartItem): string {
  return formatCents(chargeOf(cost));
}

/** The legal donee. */
function donee({ name, ein, address, contactEmail }: Parent): string[] {
  return [name, `EIN ${ein}`, address, contactEmail];
}
