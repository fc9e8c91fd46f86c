import type Stripe from 'stripe';
import { CARD_HINTS, type FieldErrors, type PayFields } from '../cards.ts';
import { formatInterval } from '../resources/session.ts';
import { cardFieldset, errorSummary, type FormView, inputField } from './card-fields.ts';
import { formatMoney, type Html, html, merchantName, renderPage } from './layout.ts';
import { createTranslator, type Translate } from './translations.ts';

export type PayMethod = 'card' | 'us_bank_account';

export type PayPage = {
  readonly session: Stripe.Checkout.Session;
  readonly lines: readonly Stripe.LineItem[];
  /** Product descriptions by line id. */
  readonly descriptions: ReadonlyMap<string, string>;
  readonly fields: PayFields;
  readonly method: PayMethod;
  readonly errors: FieldErrors;
  /** The bank's decline message; set only if no field is invalid. */
  readonly declineMessage?: string | undefined;
};

/** Renders the payment page, which works without JavaScript. */
export function renderPayPage(view: PayPage): string {
  const { session } = view;
  const translate = createTranslator(session.locale);
  const accepts = (method: PayMethod): boolean => session.payment_method_types.includes(method);
  return renderPage(
    translate('Pay {merchant}', { merchant: merchantName(session) }),
    html`<main class="checkout">
${orderSummary(view)}
<div class="pay">
${errorSummary({ ...view, translate, prefix: getIdPrefix(view.method) }, 'The payment did not go through')}
${accepts('card') && cardForm(view)}
${accepts('us_bank_account') && debitForm(view)}
</div>
${accepts('card') && testCardHints(session)}
</main>`,
    session.locale,
  );
}

function orderSummary({ session, lines, descriptions }: PayPage): Html {
  const translate = createTranslator(session.locale);
  const heading = session.submit_type === 'donate' ? 'Give to {merchant}' : 'Pay {merchant}';
  return html`<section class="summary" aria-label="${translate('Order summary')}">
${session.cancel_url !== null && html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> ${translate('Cancel and go back')}</a>`}
<h1><span class="merchant">${translate(heading, { merchant: merchantName(session) })}</span>
<span class="total">${formatMoney(session.amount_total, session.currency)}</span></h1>
${recurringNotice(session, lines)}
<ul class="lines">${lines.map((line) => lineRow(line, descriptions.get(line.id), translate))}</ul>
<p class="sum"><span>${translate('Total due today')}</span> <span>${formatMoney(session.amount_total, session.currency)}</span></p>
</section>`;
}

function lineRow(line: Stripe.LineItem, description: string | undefined, translate: Translate): Html {
  const recurring = line.price?.recurring;
  return html`<li>
<span class="what"><strong>${line.description ?? ''}${(line.quantity ?? 1) > 1 && html` × ${line.quantity ?? 1}`}</strong>
${description !== undefined && html`<span>${description}</span>`}
${recurring && html`<span class="recurs">${intervalPhrase(recurring, translate)}</span>`}</span>
<span class="amount">${formatMoney(line.amount_total, line.currency)}</span>
</li>`;
}

/** "Every 3 months". */
function intervalPhrase(recurring: Stripe.Price.Recurring, translate: Translate): string {
  const count = String(recurring.interval_count);
  return translate(`Every ${formatInterval(recurring).replace(/^\d+/, '{count}')}`, { count });
}

function recurringNotice(session: Stripe.Checkout.Session, lines: readonly Stripe.LineItem[]): Html | undefined {
  const recurring = lines.filter((line) => line.price?.recurring);
  const interval = recurring[0]?.price?.recurring;
  if (!interval) return undefined;
  const amount = recurring.reduce((sum, line) => sum + line.amount_total, 0);
  const translate = createTranslator(session.locale);
  const parts = {
    amount: formatMoney(amount, session.currency),
    every: intervalPhrase(interval, translate).toLowerCase(),
  };
  return html`<p class="then">${translate('Then {amount} {every}, until you cancel.', parts)}</p>`;
}

function cardForm(view: PayPage): Html {
  const { session } = view;
  const translate = createTranslator(session.locale);
  const formView = { ...view, translate, prefix: 'card', errors: view.method === 'card' ? view.errors : {} };
  return html`<form method="post" action="/sandbox/pay/${session.id}" novalidate aria-labelledby="card-heading">
<h2 id="card-heading">${translate('Pay by card')}</h2>
<input type="hidden" name="method" value="card">
${emailField(formView, view.session)}
${cardFieldset(formView)}
${inputField(formView, 'name', 'Name on card', { autocomplete: 'cc-name', maxlength: 200 })}
${session.custom_text.submit && html`<p class="fine">${session.custom_text.submit.message}</p>`}
<button type="submit" class="button">${buttonText(session)}</button>
</form>`;
}

function buttonText(session: Stripe.Checkout.Session): string {
  const verbs: Readonly<Record<string, string>> = { donate: 'Donate', book: 'Book', subscribe: 'Subscribe' };
  const amount = formatMoney(session.amount_total, session.currency);
  return createTranslator(session.locale)(`${verbs[session.submit_type ?? ''] ?? 'Pay'} {amount}`, { amount });
}

const DEBIT_HINT =
  'A real bank debit takes days. Here it stays under pending debits until you settle it or let it fail. No account number needed.';

function debitForm(view: PayPage): Html {
  const isSelected = view.method === 'us_bank_account';
  const translate = createTranslator(view.session.locale);
  const amount = formatMoney(view.session.amount_total, view.session.currency);
  const formView = { ...view, translate, prefix: 'debit', errors: isSelected ? view.errors : {} };
  const isOnlyMethod = !view.session.payment_method_types.includes('card');
  return html`<details class="debit"${(isSelected || isOnlyMethod) && html` open`}>
<summary>${translate('Pay by bank debit (slow)')}</summary>
<form method="post" action="/sandbox/pay/${view.session.id}" novalidate aria-label="${translate('Pay by bank debit')}">
<p class="fine">${translate(DEBIT_HINT)} <a href="/sandbox/debits">${translate('See pending debits')}</a></p>
<input type="hidden" name="method" value="us_bank_account">
${emailField(formView, view.session)}
${inputField(formView, 'name', 'Account holder', { autocomplete: 'name', maxlength: 200 })}
<button type="submit" class="button second">${translate('Debit {amount} from a test bank account', { amount })}</button>
</form>
</details>`;
}

/** The payer can't change an email address that was set when the session was created. */
function emailField(view: FormView, session: Stripe.Checkout.Session): Html {
  const options = { autocomplete: 'email', type: 'email', inputmode: 'email', maxlength: 254 };
  return inputField(view, 'email', 'Email', { ...options, readonly: session.customer_email !== null });
}

function getIdPrefix(method: PayMethod): string {
  return method === 'card' ? 'card' : 'debit';
}

function testCardHints(session: Stripe.Checkout.Session): Html {
  const translate = createTranslator(session.locale);
  return html`<aside class="hints" aria-labelledby="hints-heading">
<h2 id="hints-heading">${translate('Test cards')}</h2>
<p>${translate('Any future date, any security code.')}</p>
<ul>${CARD_HINTS.map(
    ({
      number,
      behavior,
    }) => html`<li><span class="number">${number}</span> <span class="does">${translate(behavior)}</span>
<a href="/sandbox/pay/${session.id}?fill=${number.replaceAll(' ', '')}#card-heading">${translate('Fill in')}<span class="hidden">: ${translate(behavior)}</span></a></li>`,
  )}</ul>
</aside>`;
}

const AUTHENTICATION_TEXT =
  '{merchant} wants to charge {amount} to your card. A real bank would ask you for a code or to confirm in its app.';

/** The bank's page for a card that requires authentication. */
export function renderAuthenticationPage(session: Stripe.Checkout.Session): string {
  const translate = createTranslator(session.locale);
  const parts = { merchant: merchantName(session), amount: formatMoney(session.amount_total, session.currency) };
  return renderPage(
    translate('Authenticate your payment'),
    html`<main class="card narrow">
<p class="kicker">${translate('Test bank')}</p>
<h1>${translate('Is this you?')}</h1>
<p>${translate(AUTHENTICATION_TEXT, parts)}</p>
<form method="post" action="/sandbox/pay/${session.id}/authenticate" class="choices">
<button type="submit" class="button" name="outcome" value="complete">${translate('Complete authentication')}</button>
<button type="submit" class="button second" name="outcome" value="fail">${translate('Fail authentication')}</button>
</form>
</main>`,
    session.locale,
  );
}
