import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { type Html, html } from '#server/http/html.ts';
import type { EmailPart, EmailText, Row } from './compose-email.ts';
import type { Attachment } from './mailer.ts';

// Email clients support little CSS, so the layout uses tables with inline styles. The style sheet in the head adds styles
// for phones, dark mode, and print in clients that support it.

/**
 * The picture at the top of every email, made from street.svg. Attached to the email, so that opening the email loads
 * nothing.
 */
export const STREET_PICTURE = {
  name: 'street.png',
  type: 'image/png',
  base64: readFileSync(path.join(import.meta.dirname, 'street.png')).toString('base64'),
  contentId: 'street.png',
} satisfies Attachment;

const FONT = 'font-family:Figtree,Helvetica,Arial,sans-serif';
const NOTE = 'margin:0 0 12px;font-size:14px;color:#466066';
const ACTION = 'display:inline-block;border-radius:8px;font-weight:bold;text-decoration:none';
const BUTTON = `${ACTION};padding:14px 24px;background:#ffc24b;color:#07202a`;
const OUTLINE_BUTTON = `${ACTION};margin:0 8px 12px 0;padding:10px 18px;border:2px solid #17585b;color:#17585b`;
const QUOTATION = 'width:100%;margin:4px 0 24px;border-collapse:collapse';
const QUOTE_CELL = 'padding:4px 0 4px 20px;border-left:4px solid #ffc24b';
/** Breaks long words, such as in names, so that the email fits on a phone. */
const WRAPPING = 'overflow-wrap:anywhere;word-break:break-word';
/** Keeps words and amounts from being broken to make a table column narrower. */
const NO_WRAPPING = 'overflow-wrap:normal;word-break:normal';
const CELL = 'padding:8px 0;border-bottom:1px solid #e6efec;vertical-align:top';
/** Maximum number of characters in a detail's name before it wraps, to leave room for the value. */
const MAX_UNBROKEN_NAME = 24;

const STYLE = html`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
.head { padding-left: 20px !important; padding-right: 20px !important; }
.card { padding: 24px 20px !important; }
.details td { display: block !important; text-align: left !important; }
.details .name { padding-bottom: 0 !important; border-bottom: 0 !important; font-size: 14px !important; }
.details .value { padding-top: 0 !important; padding-left: 0 !important; }
}
@media (prefers-color-scheme: dark) {
.page { background: #07202a !important; }
.card { background: #0b2b33 !important; }
.ink, .ink td { color: #f4faf8 !important; border-color: #17585b !important; }
.muted { color: #b9d2cf !important; border-color: #17585b !important; }
.outline { color: #f4faf8 !important; border-color: #2b7277 !important; }
}
@media print {
.page { background: none !important; }
.head { background: none !important; color: #0e2930 !important; }
.street, .buttons { display: none !important; }
.card { padding: 0 !important; }
}
</style>`;

export function renderHtml({ language, subject, preheader, greeting, title, parts, sender }: EmailText): Html {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>${STYLE}</head>
<body class="page" style="margin:0;padding:0;background:#f3f7f5;${FONT};font-size:16px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}</div>
<table role="presentation" class="page" style="width:100%;border-collapse:collapse;background:#f3f7f5"><tr><td style="padding:24px 12px">
<table role="presentation" style="width:100%;max-width:560px;margin:0 auto;border-collapse:separate;border-spacing:0">
<tr><td class="head" style="padding:20px 32px 12px;border-radius:12px 12px 0 0;background:#07202a;color:#f4faf8;font-size:17px;font-weight:bold;${FONT}">${LIT_WINDOW}${SITE_NAME}</td></tr>
<tr><td class="street" style="background:#07202a;color:#b9d2cf;font-size:14px;text-align:center;${FONT}"><img src="cid:${STREET_PICTURE.contentId}" alt="${m.emailDrawing({}, { locale: language })}" width="560" height="132" style="display:block;width:100%;height:auto;border:0"></td></tr>
<tr><td class="card ink" style="padding:32px;border-radius:0 0 12px 12px;background:#ffffff;color:#0e2930;${FONT};${WRAPPING}">
<p style="margin:0 0 12px">${greeting}</p>
<h1 style="margin:0 0 20px;font-size:26px;line-height:1.25">${title}</h1>
${parts.map(renderPart)}
<p class="muted" style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d5e1de;font-size:14px;color:#466066">${sender.map((line) => html`${line}<br>`)}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** A lit window, drawn without an image. */
const LIT_WINDOW = html`<span style="display:inline-block;width:11px;height:15px;margin-right:10px;border-radius:2px;background:#ffc24b;vertical-align:-2px"></span>`;

function renderPart(part: EmailPart): Html {
  switch (part.kind) {
    case 'heading':
      return html`<h2 style="margin:28px 0 8px;font-size:18px;line-height:1.3">${part.text}</h2>\n`;
    case 'text':
      return html`<p style="margin:0 0 16px">${part.text}</p>\n`;
    case 'note':
      return html`<p class="muted" style="${NOTE}">${part.text}</p>\n`;
    case 'details':
      return html`<table role="presentation" class="details" style="width:100%;margin:0 0 24px;border-collapse:collapse">${part.rows.map(renderDetailRow)}</table>\n`;
    case 'amounts':
      return html`<table role="presentation" style="width:100%;margin:0 0 24px;border-collapse:collapse">${part.rows.map(renderAmountRow)}</table>\n`;
    case 'quotation':
      return renderQuotation(part);
    case 'button':
      return html`<p class="buttons" style="margin:24px 0 20px"><a href="${part.href}" style="${BUTTON}">${part.text}</a></p>\n`;
    case 'outline-buttons':
      return html`<p class="buttons" style="margin:4px 0 8px">${part.buttons.map(({ text, href }) => html`<a class="outline" href="${href}" style="${OUTLINE_BUTTON}">${text}</a>`)}</p>\n`;
  }
}

function renderDetailRow([name, value]: Row): Html {
  const nameStyle = name.length > MAX_UNBROKEN_NAME ? NO_WRAPPING : 'white-space:nowrap';
  return html`<tr><td class="name muted" style="${CELL};color:#466066;${nameStyle}">${name}</td>${renderValueCell(value)}</tr>\n`;
}

function renderAmountRow([item, amount]: Row): Html {
  return html`<tr><td style="${CELL};${NO_WRAPPING}">${item}</td>${renderValueCell(amount)}</tr>\n`;
}

function renderValueCell(value: string): Html {
  const wrapping = /\S{25}/.test(value) ? WRAPPING : NO_WRAPPING;
  return html`<td class="value" style="${CELL};text-align:right;padding-left:16px;${wrapping}">${keepTogether(value)}</td>`;
}

/** Keeps numbers with hyphens, such as an EIN, on one line. */
function keepTogether(value: string): Html {
  const parts = value.split(/(\S*\d-\d\S*)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span style="white-space:nowrap">${part}</span>` : html`${part}`))}`;
}

function renderQuotation({ text, author }: EmailPart & { kind: 'quotation' }): Html {
  const lines = text.split('\n').map((line) => html`${line}<br>`);
  const authorLine = author
    ? html`<p class="muted" style="margin:10px 0 0;font-size:14px;color:#466066">– ${author}</p>`
    : html``;
  return html`<table role="presentation" style="${QUOTATION}"><tr><td style="${QUOTE_CELL}"><p dir="auto" style="margin:0;font-size:17px;line-height:1.55">${lines}</p>${authorLine}</td></tr></table>\n`;
}
