import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Stripe from 'stripe';
import { CARD_HINTS, type PayFields, readCard, readDebit } from '../cards.ts';
import { addDebitPages } from '../debits.ts';
import { StripeApiError } from '../parameters.ts';
import { authenticate, type PayResult, payByCard, payByDebit } from '../payments.ts';
import { addPortalPages } from '../portal.ts';
import type { Provider } from '../provider.ts';
import { decodeForm } from '../requests.ts';
import { findSession, requireRecord } from '../sessions.ts';
import { addDashboard } from './dashboard.ts';
import { type FormRoute, renderNoticePage, sendErrorPage, sendPage } from './layout.ts';
import { type PayMethod, type PayPage, renderAuthenticationPage, renderPayPage } from './pay-page.ts';

type Session = Stripe.Checkout.Session;

const EMPTY_FIELDS: PayFields = { email: '', name: '', number: '', expiry: '', cvc: '' };

export function addHostedPages(app: FastifyInstance, provider: Provider): void {
  app.setErrorHandler((error, _request, reply) => sendErrorPage(reply, error));
  app.addHook('onRequest', async (request) => rejectForeignForm(request));
  app.get('/sandbox/pay.css', async (_request, reply) => {
    const css = await readFile(new URL('pay.css', import.meta.url));
    return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css);
  });
  addPayPages(app, provider);
  addDebitPages(app, provider);
  addPortalPages(app, provider);
  addDashboard(app, provider);
}

/** Accepts forms only from the sandbox's own pages. */
function rejectForeignForm({ method, headers, host }: FastifyRequest): void {
  if (method !== 'POST') return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign =
    site === undefined
      ? origin !== undefined && URL.parse(origin)?.host !== host
      : site !== 'same-origin' && site !== 'none';
  if (isForeign) throw new StripeApiError(403, 'This form was sent from another site.');
}

function addPayPages(app: FastifyInstance, provider: Provider): void {
  app.get<{ Params: { id: string }; Querystring: { fill?: string } }>('/sandbox/pay/:id', (request, reply) => {
    const session = requireSession(provider, request.params.id);
    if (session.status !== 'open') return sendClosedPage(reply, session);
    return sendPayPage(provider, reply, session, { fields: initialFields(session, request.query.fill) });
  });
  app.post<FormRoute>('/sandbox/pay/:id', (request, reply) => {
    const session = requireSession(provider, request.params.id);
    if (session.status !== 'open') return redirectPayer(reply, session);
    const form = decodeForm(request.body);
    const fields = readFields(form, session);
    return form.method === 'us_bank_account' && session.payment_method_types.includes('us_bank_account')
      ? submitDebit(provider, reply, session, fields)
      : submitCard(provider, reply, session, fields);
  });
  app.get<FormRoute>('/sandbox/pay/:id/authenticate', (request, reply) => {
    const session = requireSession(provider, request.params.id);
    if (session.status !== 'open') return sendClosedPage(reply, session);
    if (!requireRecord(provider, session.id).pendingAuthentication)
      return reply.redirect(`/sandbox/pay/${session.id}`, 303);
    return sendPage(reply, renderAuthenticationPage(session), session.success_url);
  });
  app.post<FormRoute>('/sandbox/pay/:id/authenticate', (request, reply) => {
    const { id } = requireSession(provider, request.params.id);
    const payer = requireRecord(provider, id).pendingAuthentication?.payer;
    const result = authenticate(provider, id, decodeForm(request.body).outcome === 'complete');
    return sendPayResult(provider, reply, id, result, { ...EMPTY_FIELDS, ...payer });
  });
}

function submitCard(provider: Provider, reply: FastifyReply, session: Session, fields: PayFields): FastifyReply {
  const result = readCard(fields, new Date(provider.now() * 1000));
  if ('errors' in result)
    return sendPayPage(provider, reply, session, { fields: omitCardSecrets(fields), errors: result.errors });
  return sendPayResult(provider, reply, session.id, payByCard(provider, session.id, result.card), fields);
}

function submitDebit(provider: Provider, reply: FastifyReply, session: Session, fields: PayFields): FastifyReply {
  const result = readDebit(fields);
  const method: PayMethod = 'us_bank_account';
  if ('errors' in result) return sendPayPage(provider, reply, session, { fields, method, errors: result.errors });
  return sendPayResult(provider, reply, session.id, payByDebit(provider, session.id, result.payer), fields);
}

function sendPayResult(
  provider: Provider,
  reply: FastifyReply,
  id: string,
  result: PayResult,
  fields: PayFields,
): FastifyReply {
  const session = requireSession(provider, id);
  if (result.kind === 'declined') {
    return sendPayPage(provider, reply, session, { fields: omitCardSecrets(fields), declineMessage: result.message });
  }
  if (result.kind === 'authenticate') return reply.redirect(`/sandbox/pay/${id}/authenticate`, 303);
  return redirectPayer(reply, session);
}

/** Redirects to the merchant if the session is complete, otherwise to the payment page, which explains why it isn't. */
function redirectPayer(reply: FastifyReply, session: Session): FastifyReply {
  return reply.redirect(session.status === 'complete' ? successUrl(session) : `/sandbox/pay/${session.id}`, 303);
}

function successUrl(session: Session): string {
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function sendPayPage(
  provider: Provider,
  reply: FastifyReply,
  session: Session,
  view: Pick<PayPage, 'fields'> & Partial<PayPage>,
): FastifyReply {
  const { lines } = requireRecord(provider, session.id);
  const descriptions = new Map(lines.flatMap((line) => descriptionEntries(provider, line)));
  return sendPage(
    reply,
    renderPayPage({ session, lines, descriptions, method: 'card', errors: {}, ...view }),
    session.success_url,
  );
}

function descriptionEntries({ store }: Provider, { id, price }: Stripe.LineItem): [string, string][] {
  const product = typeof price?.product === 'string' ? store.products.find(price.product) : undefined;
  return product?.description ? [[id, product.description]] : [];
}

function sendClosedPage(reply: FastifyReply, session: Session): FastifyReply {
  if (session.status === 'complete') {
    const text =
      session.payment_status === 'paid'
        ? 'You have paid. There is nothing left to do here.'
        : 'Your bank debit has started. Go back to see its status.';
    return sendPage(
      reply,
      renderNoticePage(
        'This payment is complete',
        text,
        { href: successUrl(session), label: 'Continue' },
        session.locale,
      ),
    );
  }
  const back = session.cancel_url === null ? undefined : { href: session.cancel_url, label: 'Go back' };
  return sendPage(
    reply,
    renderNoticePage(
      'This payment page has expired',
      'Nothing was charged. To pay, go back and start again.',
      back,
      session.locale,
    ),
  );
}

function initialFields(session: Session, fill?: string): PayFields {
  const email = session.customer_email ?? '';
  const hint = CARD_HINTS.find(({ number }) => number.replaceAll(' ', '') === fill);
  if (!hint) return { ...EMPTY_FIELDS, email };
  return { email: email || 'payer@example.com', name: 'Sandy Box', number: hint.number, expiry: '12 / 34', cvc: '123' };
}

function readFields(form: ReturnType<typeof decodeForm>, session: Session): PayFields {
  const readText = (name: string): string => (typeof form[name] === 'string' ? form[name] : '');
  const email = session.customer_email ?? readText('email');
  return {
    email,
    name: readText('name'),
    number: readText('number'),
    expiry: readText('expiry'),
    cvc: readText('cvc'),
  };
}

/** Removes the card number and code, which must never be sent back to the browser. */
function omitCardSecrets(fields: PayFields): PayFields {
  return { ...fields, number: '', cvc: '' };
}

function requireSession(provider: Provider, id: string): Session {
  const session = findSession(provider, id);
  if (!session) throw new StripeApiError(404, 'This payment page does not exist.');
  return session;
}
