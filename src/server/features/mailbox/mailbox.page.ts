import type { Attachment, StoredEmail } from '#server/gateways/email/mailer.ts';
import { type Html, html } from '#server/http/html.ts';

export const MAILBOX_PATH = '/dev/mailbox';

export function renderList(emails: readonly StoredEmail[]): string {
  const entries = emails.map(
    (email) => html`<li><a href="${MAILBOX_PATH}/${email.id}"><strong>${email.subject}</strong>
<span>${email.to}</span> ${renderTime(email)}</a></li>`,
  );
  const list = html`<ol class="mails">${entries}</ol>`;
  const empty = html`<p>No email yet. Everything that the program would send by SMTP appears here.</p>`;
  return renderPage('Development mailbox', html`<h1>Development mailbox</h1>${emails.length > 0 ? list : empty}`);
}

export function renderEmailPage(email: StoredEmail): string {
  return renderPage(
    email.subject,
    html`<p><a href="${MAILBOX_PATH}">All emails</a></p>
<h1>${email.subject}</h1>
<dl><dt>To</dt><dd>${email.to}</dd><dt>From</dt><dd>${email.from}</dd><dt>Sent</dt><dd>${renderTime(email)}</dd>${renderAttachmentLinks(email)}</dl>
<h2>HTML part</h2>
<iframe src="${MAILBOX_PATH}/${email.id}/html" title="HTML part of the email" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>Text part</h2>
<pre>${linkUrls(email.text)}</pre>`,
  );
}

/** Lists the attachments that an email client displays, which excludes pictures in the HTML part. */
export function listAttachments({ attachments = [] }: StoredEmail): Attachment[] {
  return attachments.filter(({ contentId }) => contentId === undefined);
}

function renderAttachmentLinks(email: StoredEmail): Html {
  const { id } = email;
  const files = listAttachments(email);
  if (files.length === 0) return html``;
  const links = files.map(
    ({ name }) => html`<a href="${MAILBOX_PATH}/${id}/attachments/${encodeURIComponent(name)}">${name}</a> `,
  );
  return html`<dt>Attachments</dt><dd>${links}</dd>`;
}

export function renderMissingEmailPage(): string {
  return renderPage('Email not found', html`<p><a href="${MAILBOX_PATH}">All emails</a></p><h1>Email not found</h1>`);
}

function renderPage(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="${MAILBOX_PATH}/style.css"><link rel="icon" href="data:,"></head>
<body><main>${content}</main></body>
</html>
`.text;
}

function renderTime({ sentAt }: StoredEmail): Html {
  const time = sentAt.toISOString();
  return html`<time datetime="${time}">${time.replace('T', ' ').slice(0, 19)} UTC</time>`;
}

function linkUrls(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`));
}

export const MAILBOX_STYLE = `
body { margin: 0; background: #f3f7f5; color: #0e2930; font: 1rem/1.6 Figtree, Helvetica, Arial, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; }
a { color: #17585b; }
:focus-visible { outline: 3px solid #2b7277; outline-offset: 3px; }
.mails { margin: 0; padding: 0; list-style: none; }
.mails a { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; padding: .75rem 1rem; margin-bottom: .5rem;
  border: 1px solid #d5e1de; border-radius: 8px; background: #fff; color: inherit; text-decoration: none; }
.mails strong { flex-basis: 100%; }
.mails span, time { color: #466066; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: #466066; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 48rem; border: 1px solid #d5e1de; border-radius: 8px; background: #fff; }
pre { padding: 1rem; border: 1px solid #d5e1de; border-radius: 8px; background: #fff; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
