import { FIRST_LANGUAGE, inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { emailSafeName } from '#domain/names.ts';
import { beforePeriod, PROGRAM_NAME } from '#domain/program-name.ts';
import { type Language, m } from '#messages';
import type { Parent } from '#server/deps.ts';
import { type Html, html } from '#server/http/html.ts';
import type { Mail } from './mailer.ts';

/** Part of a letter, rendered both as HTML and as text. */
export type LetterPart =
  | { readonly kind: 'heading'; readonly text: string }
  /** `href` is shown after the text. */
  | { readonly kind: 'text'; readonly text: string; readonly href?: string }
  /** Fine print, such as how long a link works. */
  | { readonly kind: 'note'; readonly text: string; readonly href?: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  /** Another person's words, with line breaks, and the author's name. */
  | { readonly kind: 'quotation'; readonly text: string; readonly by: string | undefined }
  /** A button with its address in full below. */
  | { readonly kind: 'button'; readonly text: string; readonly href: string };

export type Letter = {
  /** The reader’s language; defaults to the first one, which editors and admins get. */
  readonly language?: Language;
  readonly to: string;
  readonly subject: string;
  /** Preview text next to the subject: a sentence from the letter. */
  readonly preheader: string;
  readonly greeting: string;
  readonly title: string;
  readonly parts: readonly LetterPart[];
  /** Lines that identify the sender. */
  readonly sender: readonly string[];
  /** The only allowed origin of links. */
  readonly publicUrl: string;
  /** The same for every attempt to send this email. */
  readonly messageKey: string;
};

export function heading(text: string): LetterPart {
  return { kind: 'heading', text };
}

export function paragraph(text: string, href?: string): LetterPart {
  return { kind: 'text', text, ...(href === undefined ? {} : { href }) };
}

export function note(text: string, href?: string): LetterPart {
  return { kind: 'note', text, ...(href === undefined ? {} : { href }) };
}

export function facts(rows: readonly (readonly [name: string, value: string])[]): LetterPart {
  return { kind: 'facts', rows };
}

export function button(text: string, href: string): LetterPart {
  return { kind: 'button', text, href };
}

export function quotation(text: string, by?: string): LetterPart {
  return { kind: 'quotation', text, by };
}

/** The greeting. Omits a name that looks like a link, because payers choose their names at the provider. */
export function greetingTo(name: string | null, locale: Language = FIRST_LANGUAGE): string {
  const safeName = emailSafeName(name);
  return safeName ? m.mailDear({ name: safeName }, { locale }) : m.mailHello({}, { locale });
}

/** Puts every text except quotations on one line, so that line breaks in a name can't add a header or a line. */
export function cleanLetter(letter: Letter): Letter {
  return {
    ...letter,
    subject: oneLine(letter.subject),
    preheader: oneLine(letter.preheader),
    greeting: oneLine(letter.greeting),
    title: oneLine(letter.title),
    parts: letter.parts.map(cleanPart),
    sender: letter.sender.map(oneLine),
  };
}

function cleanPart(part: LetterPart): LetterPart {
  if (part.kind === 'quotation') {
    const lines = part.text.split('\n').map(oneLine);
    return { ...part, text: lines.join('\n'), by: part.by && oneLine(part.by) };
  }
  if (part.kind !== 'facts') return { ...part, text: oneLine(part.text) };
  return { ...part, rows: part.rows.map(([name, value]) => [oneLine(name), oneLine(value)] as const) };
}

/** Removes line breaks, control characters, and changes of text direction. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();
}

/** The parent organization with its site, address, and contact, one line each. */
export function senderLines(
  { name, address, contactEmail: email }: Parent,
  publicUrl: string,
  locale: Language = FIRST_LANGUAGE,
): string[] {
  const site = locale === FIRST_LANGUAGE ? publicUrl : publicUrl + inLanguage('/', locale);
  return [
    m.mailSender({ site, name: beforePeriod(name) }, { locale }),
    address,
    m.mailQuestions({ email }, { locale }),
  ];
}

/** The address of the login page, which continues to a page for signed-in people. */
export function throughLogin(publicUrl: string, path: string, language: Language = FIRST_LANGUAGE): string {
  return `${publicUrl}${inLanguage(pagePath('login-page', {}), language)}?return_to=${encodeURIComponent(path)}`;
}

/** @throws if a link would lead to another site */
export function writeLetter(letter: Letter): Mail {
  for (const part of letter.parts) if ('href' in part) requireOwnLink(part.href, letter.publicUrl);
  const safeLetter = cleanLetter(letter);
  return {
    to: letter.to,
    subject: safeLetter.subject,
    text: textOf(safeLetter),
    html: htmlOf(safeLetter).text,
    messageKey: letter.messageKey,
  };
}

function requireOwnLink(href: string, publicUrl: string): void {
  // The address may grant access to an account, and errors are logged.
  if (URL.parse(href)?.origin !== publicUrl) throw new Error('A mail was not written: its link leads to another site');
}

function textOf({ greeting, title, parts, sender }: Letter): string {
  const paragraphs = [[greeting], [title], ...parts.map(linesOf), ['--', ...sender]];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function linesOf(part: LetterPart): string[] {
  switch (part.kind) {
    case 'text':
    case 'note':
      return [part.href === undefined ? part.text : `${part.text} ${part.href}`];
    case 'heading':
      return [`${part.text}:`];
    case 'facts':
      return part.rows.map(([name, value]) => `${name}: ${value}`);
    case 'quotation':
      return [...part.text.split('\n'), ...(part.by ? [`– ${part.by}`] : [])].map((line) => `> ${line}`.trimEnd());
    case 'button':
      return [`${part.text}:`, part.href];
  }
}

// Email clients support little CSS, so the layout uses tables with inline styles. The style sheet in the head adds a dark
// mode in clients that support it.

const FONT = 'font-family:Figtree,Helvetica,Arial,sans-serif';
const NOTE = 'margin:0 0 12px;font-size:14px;color:#466066';
const BUTTON =
  'display:inline-block;padding:13px 22px;border-radius:8px;background:#ffc24b;color:#07202a;font-weight:bold;text-decoration:none';
const QUOTATION = 'width:100%;margin:4px 0 24px;border-collapse:collapse';
const QUOTED = 'padding:4px 0 4px 20px;border-left:4px solid #ffc24b';
/** Breaks long words, such as in names, so that the email fits on a phone. */
const WRAPPING = 'overflow-wrap:anywhere;word-break:break-word';
/** Prevents narrow table columns with broken words and amounts. */
const NO_WRAPPING = 'overflow-wrap:normal;word-break:normal';
const CELL = 'padding:8px 0;border-bottom:1px solid #e6efec;vertical-align:top';

const DARK = html`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
.page { background: #07202a !important; }
.card { background: #0b2b33 !important; }
.ink, .ink td { color: #f4faf8 !important; border-color: #17585b !important; }
.muted { color: #b9d2cf !important; border-color: #17585b !important; }
.link { color: #ffd684 !important; }
}
</style>`;

export function htmlOf({
  language = FIRST_LANGUAGE,
  subject,
  preheader,
  greeting,
  title,
  parts,
  sender,
}: Letter): Html {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>${DARK}</head>
<body class="page" style="margin:0;padding:0;background:#f3f7f5;${FONT};font-size:16px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}</div>
<table role="presentation" class="page" style="width:100%;border-collapse:collapse;background:#f3f7f5"><tr><td style="padding:24px 12px">
<table role="presentation" style="width:100%;max-width:560px;margin:0 auto;border-collapse:separate;border-spacing:0">
<tr><td style="padding:20px 32px;border-radius:12px 12px 0 0;background:#07202a;color:#f4faf8;font-size:17px;font-weight:bold;${FONT}">${LIT_WINDOW}${PROGRAM_NAME}</td></tr>
<tr><td class="card ink" style="padding:32px;border-radius:0 0 12px 12px;background:#ffffff;color:#0e2930;${FONT};${WRAPPING}">
<p style="margin:0 0 16px">${greeting}</p>
<h1 style="margin:0 0 20px;font-size:23px;line-height:1.3">${title}</h1>
${parts.map((part) => partOf(part, language))}
<p class="muted" style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d5e1de;font-size:14px;color:#466066">${sender.map((line) => html`${line}<br>`)}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** A lit window, drawn without an image that an email client would have to load. */
const LIT_WINDOW = html`<span style="display:inline-block;width:11px;height:15px;margin-right:10px;border-radius:2px;background:#ffc24b;vertical-align:-2px"></span>`;

function partOf(part: LetterPart, language: Language): Html {
  switch (part.kind) {
    case 'heading':
      return html`<h2 style="margin:24px 0 8px;font-size:17px">${part.text}</h2>\n`;
    case 'text':
      return html`<p style="margin:0 0 16px">${part.text}${addressBehind(part.href)}</p>\n`;
    case 'note':
      return html`<p class="muted" style="${NOTE}">${part.text}${addressBehind(part.href)}</p>\n`;
    case 'facts':
      return html`<table role="presentation" style="width:100%;margin:0 0 24px;border-collapse:collapse">${part.rows.map(rowOf)}</table>\n`;
    case 'quotation':
      return quotationOf(part);
    case 'button':
      return buttonOf(part, language);
  }
}

function rowOf([name, value]: readonly [string, string]): Html {
  const wrapping = /\S{25}/.test(value) ? WRAPPING : NO_WRAPPING;
  return html`<tr><td style="${CELL};${NO_WRAPPING}">${name}</td><td style="${CELL};text-align:right;padding-left:16px;${wrapping}">${unbroken(value)}</td></tr>\n`;
}

/** Keeps numbers with hyphens, such as an EIN, on one line. */
function unbroken(value: string): Html {
  const parts = value.split(/(\S*\d-\d\S*)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span style="white-space:nowrap">${part}</span>` : html`${part}`))}`;
}

function quotationOf({ text, by }: LetterPart & { kind: 'quotation' }): Html {
  const lines = text.split('\n').map((line) => html`${line}<br>`);
  const author = by ? html`<p class="muted" style="margin:10px 0 0;font-size:14px;color:#466066">– ${by}</p>` : html``;
  return html`<table role="presentation" style="${QUOTATION}"><tr><td style="${QUOTED}"><p dir="auto" style="margin:0;font-size:17px;line-height:1.55">${lines}</p>${author}</td></tr></table>\n`;
}

function buttonOf({ text, href }: LetterPart & { kind: 'button' }, locale: Language): Html {
  return html`<p style="margin:24px 0 16px"><a href="${href}" style="${BUTTON}">${text}</a></p>
<p class="muted" style="${NOTE}">${m.mailButtonHelp({}, { locale })}<br>${addressBehind(href)}</p>\n`;
}

function addressBehind(href: string | undefined): Html {
  return href === undefined
    ? html``
    : html` <a class="link" href="${href}" style="color:#17585b;word-break:break-all">${href}</a>`;
}

/** "March 14, 2026 at 9:30 AM (UTC)", because the user's time zone is unknown. */
export function momentText(time: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} (UTC)`;
}
