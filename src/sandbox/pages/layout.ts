import type Stripe from 'stripe';
import { type Html, html } from './html.ts';

/** A whole page. Each says plainly that it is the sandbox's. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sandbox</title>
<link rel="stylesheet" href="/sandbox/pay.css">
<link rel="icon" href="data:,">
</head>
<body>
<header class="ribbon"><strong>Sandbox – no money moves</strong> <span>A stand-in for the card provider, to try things out.</span></header>
${body}
</body>
</html>
`.text;
}

/** A page with one thing to say. @param action where to go on */
export function noticePage(
  title: string,
  text: string,
  action?: { readonly href: string; readonly label: string },
): string {
  return page(
    title,
    html`<main class="card narrow">
<h1>${title}</h1>
<p>${text}</p>
${action && html`<p><a class="button" href="${action.href}">${action.label}</a></p>`}
</main>`,
  );
}

/** "$35.00". @param cents of that currency */
export function money(cents: number | null, currency: string | null): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency ?? 'usd' }).format((cents ?? 0) / 100);
}

/** Whom the session pays. */
export function merchantOf(session: Stripe.Checkout.Session): string {
  return session.branding_settings?.display_name ?? 'Sandbox account';
}
