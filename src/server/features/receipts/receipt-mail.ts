import { type CartItem, recurringSuffix } from '#domain/cart.ts';
import { RECEIPT_LINK_DAYS } from '#domain/checkout.ts';
import { chargeOf, formatCents } from '#domain/money.ts';
import type { Parent } from '#server/deps.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { type Html, html } from '#server/html.ts';
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
  readonly items: readonly CartItem[];
  readonly link: string;
  readonly parent: Parent;
  /** Whether it was paid in the sandbox: then it must not be taken for a receipt. */
  readonly sandbox: boolean;
};

const NO_GOODS = 'No goods or services were provided in exchange for this gift.';
const NO_MONEY = 'Sandbox: no money moved. This is not a receipt for tax purposes.';
const LINK_HELP = `This link stays open for ${RECEIPT_LINK_DAYS} days. It is yours alone: please do not pass it on.`;

/** The mail of a receipt. Both parts say the same; the same receipt makes the same mail, whenever it is sent again. */
export function receiptMail(receipt: Receipt): Mail {
  return {
    to: receipt.email,
    subject: `Your gift to ${oneLine(receipt.orgName)}: receipt no. ${receipt.number}`,
    text: textPart(receipt),
    html: htmlPart(receipt).text,
    messageKey: `receipt-${receipt.orgId}-${receipt.number}`,
  };
}

function textPart(receipt: Receipt): string {
  const items = receipt.items.map((item) => `  ${describe(item)}: ${chargeText(item)}`);
  const facts = factsOf(receipt).map(([name, value]) => `${name}: ${value}`);
  const repeats = repeatLines(receipt);
  return `${[
    greeting(receipt),
    '',
    thanks(receipt),
    '',
    ...facts,
    '',
    'What it is for:',
    ...items,
    ...(repeats.length === 0 ? [] : ['', 'What repeats:', ...repeats]),
    '',
    'Tell your story, or see where your gift stands:',
    receipt.link,
    LINK_HELP,
    '',
    statement(receipt),
    '',
    ...parentLines(receipt.parent),
  ].join('\n')}\n`;
}

function htmlPart(receipt: Receipt): Html {
  const facts = factsOf(receipt).map(([name, value]) => row(name, value));
  const repeats = repeatLines(receipt).map((line) => html`<p style="margin:0 0 8px">${line}</p>`);
  const items = receipt.items.map((item) => row(describe(item), chargeText(item)));
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Receipt no. ${receipt.number}</title></head>
<body style="margin:0;padding:24px;background:#f3f7f5;color:#0e2930;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 16px">${greeting(receipt)}</p>
<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3">${thanks(receipt)}</h1>
<table role="presentation" style="${TABLE}">${facts}</table>
<h2 style="margin:24px 0 8px;font-size:17px">What it is for</h2>
<table role="presentation" style="${TABLE}">${items}</table>
${repeats.length === 0 ? '' : html`<h2 style="margin:24px 0 8px;font-size:17px">What repeats</h2>${repeats}`}
<p style="margin:32px 0 8px"><a href="${receipt.link}" style="${BUTTON}">Tell your story</a></p>
<p style="margin:0 0 24px;font-size:14px;color:#466066">${LINK_HELP}</p>
<p style="margin:0 0 24px">${statement(receipt)}</p>
<p style="margin:0;padding-top:16px;border-top:1px solid #d5e1de;font-size:14px;color:#466066">${parentLines(receipt.parent).map((line) => html`${line}<br>`)}</p>
</div>
</body>
</html>
`;
}

const TABLE = 'width:100%;border-collapse:collapse';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#ffc24b;color:#07202a;font-weight:bold;text-decoration:none';

function row(name: string, value: string): Html {
  const cell = 'padding:6px 0;border-bottom:1px solid #e6efec;vertical-align:top';
  return html`<tr><td style="${cell}">${name}</td><td style="${cell};text-align:right;padding-left:16px">${value}</td></tr>`;
}

function factsOf({ number, issuedAt, amount, orgName, parent }: Receipt): [string, string][] {
  return [
    ['Receipt number', String(number)],
    // Where the donor is, nobody knows.
    ['Date', `${dateText(issuedAt)} (UTC)`],
    ['Given to', `${parent.name} (EIN ${parent.ein}), for its program ${oneLine(orgName)}`],
    ['Amount', formatCents(amount)],
  ];
}

function greeting({ name }: Receipt): string {
  return name ? `Dear ${oneLine(name)},` : 'Hello,';
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

function parentLines({ name, ein, address, contactEmail }: Parent): string[] {
  return [name, `EIN ${ein}`, address, contactEmail];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
