import { type CartItem, cartRenewal, recurringSuffix } from '#domain/cart.ts';
import { RECEIPT_LINK_DAYS } from '#domain/checkout.ts';
import { chargeOf, formatCents, formatWhole } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { button, facts, heading, type LetterPart, note, paragraph, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { receiptPath } from './receipt-link.ts';
import { noteMailed, receiptWithCart } from './receipts.store.ts';

export type MailReceiptDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl' | 'sandbox'> & { readonly mailer: Mailer };

/**
 * Mails a receipt. Every mailing of a receipt has the same content.
 * @throws when the mail server refuses it, so that the job is retried
 */
export async function mailReceipt(
  { db, parent, publicUrl, sandbox, mailer }: MailReceiptDeps,
  { orgId, receiptNumber: number, again }: JobData['mail-receipt'],
): Promise<void> {
  const row = await receiptWithCart(db.kysely, orgId, number);
  // The email is erased when the donor deletes the account.
  if (!row?.email || !isEmail(row.email)) return;
  const org = await findOrg(db, orgId);
  const { checkout_id: checkoutId, key } = row;
  const mail = receiptMail({
    orgId,
    orgName: org?.name ?? parent.name,
    number,
    email: row.email,
    name: row.name ?? undefined,
    amount: row.amount_cents,
    issuedAt: row.issued_at,
    nextChargeAt: row.next_charge_at ?? undefined,
    items: row.cart ?? [],
    link: checkoutId === null ? undefined : publicUrl() + receiptPath({ orgId, checkoutId, key }),
    parent,
    publicUrl: publicUrl(),
    sandbox,
    again,
  });
  await mailer.send(mail);
  await noteMailed(db.kysely, orgId, number);
}

export type Receipt = {
  readonly orgId: string;
  readonly orgName: string;
  readonly number: number;
  readonly email: string;
  readonly name: string | undefined;
  /** In cents. */
  readonly amount: number;
  readonly issuedAt: Date;
  /** When the provider will charge a recurring gift next, if it said so. */
  readonly nextChargeAt: Date | undefined;
  /** Empty for a check. */
  readonly items: readonly CartItem[];
  /** The page for submitting a story; a check has none. */
  readonly link: string | undefined;
  readonly parent: Parent;
  readonly publicUrl: string;
  /** Whether it was paid in the sandbox, and so must not pass for a tax receipt. */
  readonly sandbox: boolean;
  /** Set when an editor resends it: mail programs hide a second mail with the same message key. */
  readonly again?: string | undefined;
};

const NO_GOODS = 'No goods or services were provided in exchange for this gift.';
const NO_MONEY = 'Sandbox: no money moved. This is not a receipt for tax purposes.';

export function receiptMail(receipt: Receipt): Mail {
  const thanks = `Thank you for your gift of ${formatCents(receipt.amount)} to ${receipt.orgName}.`;
  const renewal = renewalSentences(receipt);
  const { name, ein, address, contactEmail } = receipt.parent;
  return writeLetter({
    to: receipt.email,
    subject: `Your gift to ${receipt.orgName}: receipt no. ${receipt.number}`,
    preheader: thanks,
    greeting: receipt.name ? `Dear ${receipt.name},` : 'Hello,',
    title: thanks,
    parts: [
      facts(summaryOf(receipt)),
      heading('Your gift'),
      facts(linesOf(receipt)),
      ...(renewal.length === 0 ? [] : [heading('Your recurring gift')]),
      ...renewal.map((sentence) => paragraph(sentence)),
      ...storyInvitation(receipt),
      paragraph(receipt.sandbox ? `${NO_MONEY} ${NO_GOODS}` : NO_GOODS),
    ],
    sender: [name, `EIN ${ein}`, address, contactEmail],
    publicUrl: receipt.publicUrl,
    messageKey: ['receipt', receipt.orgId, receipt.number, receipt.again].filter(Boolean).join('-'),
  });
}

function summaryOf({ number, issuedAt, amount, orgName, parent }: Receipt): [string, string][] {
  return [
    ['Receipt number', String(number)],
    ['Date', `${dateText(issuedAt)} (UTC)`],
    ['Given to', `${parent.name} (EIN ${parent.ein}), for its program ${orgName}`],
    ['Amount', formatCents(amount)],
  ];
}

function linesOf({ items, amount }: Receipt): [string, string][] {
  if (items.length === 0) return [['Donation by check', formatCents(amount)]];
  return items.map((item) => [describe(item), formatCents(chargeOf(item.cost))]);
}

/** "Air travel – 3,864 lbs of carbon offset", "Donation to carbon offset program (recurring: monthly)". */
function describe({ type, title, description, carbon, recurring, recurringInterval }: CartItem): string {
  const name = type === 'offset' ? `${title} – ${formatWhole(carbon)} lbs of carbon offset` : description;
  return `${name} ${recurringSuffix(recurring, recurringInterval)}`.trim();
}

/** What will be charged again, when next, and how to stop it; empty for a one-time gift. */
function renewalSentences({ number, items, nextChargeAt, parent }: Receipt): string[] {
  const renewal = cartRenewal(items);
  if (!renewal) return [];
  return [
    `You will be charged ${formatCents(renewal.amount)} ${renewal.every} until you stop it.`,
    // The provider may take some hours to charge, and the donor's time zone is unknown.
    ...(nextChargeAt ? [`The next charge will be around ${dateText(nextChargeAt)}.`] : []),
    `To stop it at any time, write to ${parent.contactEmail} and mention receipt no. ${number}.`,
  ];
}

function storyInvitation({ link }: Receipt): LetterPart[] {
  if (link === undefined) return [];
  return [
    paragraph('Tell your story or view your gift.'),
    button('Tell your story', link),
    note(`This link works for ${RECEIPT_LINK_DAYS} days. Please don’t share it.`),
  ];
}

/** "November 21, 2026", in UTC. */
function dateText(date: Date): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
