import { DEFAULT_LANGUAGE, localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { removeFinalPeriod } from '#domain/site-name.ts';
import { type Language, m } from '#messages';
import type { Parent } from '#server/deps.ts';
import { renderHtml, STREET_PICTURE } from './email-html.ts';
import type { Email } from './mailer.ts';

/** Part of an email, rendered both as HTML and as text. */
export type EmailPart =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Fine print, such as how long a link works. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'details'; readonly rows: readonly Row[] }
  | { readonly kind: 'amounts'; readonly rows: readonly Row[] }
  /** Another person's words, with line breaks, and the author's name. */
  | { readonly kind: 'quotation'; readonly text: string; readonly author: string | undefined }
  /** The email's main action. The text part has each button's address in full. */
  | { readonly kind: 'button'; readonly text: string; readonly href: string }
  /** Further actions, side by side if there is room. */
  | { readonly kind: 'outline-buttons'; readonly buttons: readonly EmailButton[] };

export type Row = readonly [name: string, value: string];
type EmailButton = { readonly text: string; readonly href: string };

/** Everything about an email except its content. */
export type Envelope = {
  readonly email: string;
  /** The reader’s language. Emails to editors and admins are always in the default language. */
  readonly language: Language;
  /** The sender. */
  readonly parent: Parent;
  /** The only allowed origin of links. */
  readonly publicUrl: string;
  /** The same for every attempt to send this email. */
  readonly messageKey: string;
};

export type EmailContent = {
  readonly subject: string;
  /** Preview text next to the subject: a sentence from the email. */
  readonly preheader: string;
  /** The reader's name for the greeting. Null if it is unknown, or if a stranger may have entered it. */
  readonly name: string | null;
  readonly title: string;
  readonly parts: readonly EmailPart[];
  /** Lines that identify the sender. Defaults to the parent and its site. */
  readonly sender?: readonly string[];
};

/** The complete text of an email. */
export type EmailText = Omit<EmailContent, 'name' | 'sender'> & {
  readonly language: Language;
  readonly greeting: string;
  readonly sender: readonly string[];
};

export function heading(text: string): EmailPart {
  return { kind: 'heading', text };
}

export function paragraph(text: string): EmailPart {
  return { kind: 'text', text };
}

export function note(text: string): EmailPart {
  return { kind: 'note', text };
}

/** Rows with a name and a value. On phones, the value is below the name. */
export function detailRows(rows: readonly Row[]): EmailPart {
  return { kind: 'details', rows };
}

/** Rows with an item and its amount. */
export function amountRows(rows: readonly Row[]): EmailPart {
  return { kind: 'amounts', rows };
}

export function button(text: string, href: string): EmailPart {
  return { kind: 'button', text, href };
}

/** @param links links without an address are omitted @returns an empty list if none remain */
export function outlineButtons(...links: readonly (readonly [text: string, href: string | undefined])[]): EmailPart[] {
  const buttons = links.flatMap(([text, href]) => (href === undefined ? [] : [{ text, href }]));
  return buttons.length === 0 ? [] : [{ kind: 'outline-buttons', buttons }];
}

export function quotation(text: string, author?: string): EmailPart {
  return { kind: 'quotation', text, author };
}

/** Composes the greeting. Omits a name that looks like a link, because payers can enter any name at Stripe. */
function composeGreeting(name: string | null, locale: Language): string {
  const safeName = makeEmailSafe(name);
  return safeName ? m.emailDear({ name: safeName }, { locale }) : m.emailHello({}, { locale });
}

/** Puts all text except quotations on one line, so that line breaks in a name can't add a header or a line. */
function sanitizeText({ language, subject, preheader, greeting, title, parts, sender }: EmailText): EmailText {
  return {
    language,
    subject: toOneLine(subject),
    preheader: toOneLine(preheader),
    greeting: toOneLine(greeting),
    title: toOneLine(title),
    parts: parts.map(sanitizePart),
    sender: sender.map(toOneLine),
  };
}

function sanitizePart(part: EmailPart): EmailPart {
  if (part.kind === 'quotation') {
    const lines = part.text.split('\n').map(toOneLine);
    return { ...part, text: lines.join('\n'), author: part.author && toOneLine(part.author) };
  }
  if (part.kind === 'outline-buttons') {
    return { ...part, buttons: part.buttons.map(({ text, href }) => ({ text: toOneLine(text), href })) };
  }
  if (!('rows' in part)) return { ...part, text: toOneLine(part.text) };
  return { ...part, rows: part.rows.map(([name, value]) => [toOneLine(name), toOneLine(value)] as const) };
}

/** Removes line breaks, control characters, and changes of text direction. */
function toOneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();
}

/** Lists the parent organization with its site, its address, and its contact, one line each. */
function senderLines({ parent, publicUrl, language: locale }: Envelope): string[] {
  const { name, address, contactEmail: email } = parent;
  const site = locale === DEFAULT_LANGUAGE ? publicUrl : publicUrl + localizeAddress('/', locale);
  return [
    m.emailSender({ site, name: removeFinalPeriod(name) }, { locale }),
    address,
    m.emailQuestions({ email }, { locale }),
  ];
}

/** URL of the login page, which then redirects to a page for signed-in users. */
export function loginUrl(publicUrl: string, path: string, language: Language = DEFAULT_LANGUAGE): string {
  return `${publicUrl}${localizeAddress(pagePath('login-page', {}), language)}?return_to=${encodeURIComponent(path)}`;
}

/** @throws if a link points to another site */
export function composeEmail(envelope: Envelope, { name, sender, ...content }: EmailContent): Email {
  const { email, language, publicUrl, messageKey } = envelope;
  for (const { href } of content.parts.flatMap(getButtons)) requireOwnLink(href, publicUrl);
  const text = sanitizeText({
    ...content,
    language,
    greeting: composeGreeting(name, language),
    sender: sender ?? senderLines(envelope),
  });
  return {
    to: email,
    subject: text.subject,
    text: renderPlainText(text),
    html: renderHtml(text).text,
    messageKey,
    attachments: [STREET_PICTURE],
  };
}

function getButtons(part: EmailPart): readonly EmailButton[] {
  if (part.kind === 'outline-buttons') return part.buttons;
  return part.kind === 'button' ? [part] : [];
}

function requireOwnLink(href: string, publicUrl: string): void {
  // Omits the address from the error, which is logged: the address may grant access to an account.
  if (URL.parse(href)?.origin !== publicUrl) throw new Error('The email was not created: it links to another site');
}

function renderPlainText({ greeting, title, parts, sender }: EmailText): string {
  const paragraphs = [[greeting], [title], ...parts.flatMap(renderParagraphs), ['--', ...sender]];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function renderParagraphs(part: EmailPart): string[][] {
  switch (part.kind) {
    case 'text':
    case 'note':
      return [[part.text]];
    case 'heading':
      return [[`${part.text}:`]];
    case 'details':
    case 'amounts':
      return [part.rows.map(([name, value]) => `${name}: ${value}`)];
    case 'quotation': {
      const lines = [...part.text.split('\n'), ...(part.author ? [`– ${part.author}`] : [])];
      return [lines.map((line) => `> ${line}`.trimEnd())];
    }
    case 'button':
      return [[`${part.text}:`, part.href]];
    case 'outline-buttons':
      return part.buttons.map(({ text, href }) => [`${text}:`, href]);
  }
}

/** "March 14, 2026 at 9:30 AM (UTC)", because the user's time zone is unknown. */
export function formatUtcTime(time: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} (UTC)`;
}
