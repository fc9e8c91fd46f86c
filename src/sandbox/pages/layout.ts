import type { FastifyReply } from 'fastify';
import type Stripe from 'stripe';
import { StripeApiError } from '../parameters.ts';
import { createTranslator } from './translations.ts';

/** Type of a form route for one resource. */
export type FormRoute = { Params: { id: string }; Body: string };

/** A complete page with the sandbox's banner. @param locale the payer's, or null */
export function renderPage(title: string, body: Html, locale: string | null = null): string {
  const translate = createTranslator(locale);
  return html`<!doctype html>
<html lang="${locale === 'es' ? locale : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sandbox</title>
<link rel="stylesheet" href="/sandbox/pay.css">
<link rel="icon" href="data:,">
</head>
<body>
<header class="ribbon"><strong>${translate('Sandbox – no money moves')}</strong> <span>${translate('A test stand-in for the card provider.')}</span></header>
${body}
</body>
</html>
`.text;
}

export function renderNoticePage(
  title: string,
  text: string,
  action?: { readonly href: string; readonly label: string },
  locale: string | null = null,
): string {
  const translate = createTranslator(locale);
  return renderPage(
    translate(title),
    html`<main class="card narrow">
<h1>${translate(title)}</h1>
<p>${translate(text)}</p>
${action && html`<p><a class="button" href="${action.href}">${translate(action.label)}</a></p>`}
</main>`,
    locale,
  );
}

/** "$35.00". @param cents of that currency */
export function formatMoney(cents: number | null, currency: string | null): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency ?? 'usd' }).format((cents ?? 0) / 100);
}

export function merchantName(session: Stripe.Checkout.Session): string {
  return session.branding_settings?.display_name ?? 'Sandbox account';
}

/**
 * Sends a page with the strictest content security policy.
 * @param destination redirect target of the page's form, which the policy must allow
 */
export function sendPage(reply: FastifyReply, page: string, destination?: string | null): FastifyReply {
  const formTarget = destination ? ` ${new URL(destination).origin}` : '';
  const policy = `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'${formTarget}; base-uri 'none'; frame-ancestors 'none'`;
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' });
  return reply.type('text/html; charset=utf-8').send(page);
}

export function sendErrorPage(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof StripeApiError) {
    const title = error.status === 404 ? 'Not found' : 'Invalid request';
    return sendPage(reply.status(error.status), renderNoticePage(title, error.message));
  }
  reply.log.error({ err: error }, 'the sandbox failed');
  return sendPage(reply.status(500), renderNoticePage('The sandbox failed', 'See the log for details.'));
}

/** Escaped markup, made only by `html`. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[] | undefined | null | false;

/** Escapes every value except markup made by `html`. Renders undefined, null, and false as nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: strings.map(String) }, ...values.map(toMarkup)));
}

function toMarkup(value: Value): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export function formatTime(epochSeconds: number): string {
  return `${new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(epochSeconds * 1000)} UTC`;
}
