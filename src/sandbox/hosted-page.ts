// The pages that the provider shows to a payer.
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type Stripe from 'stripe';
import { StripeApiError } from './api-error.ts';
import { type PayFields, readCard, readDebit } from './card-form.ts';
import { CARD_HINTS } from './cards.ts';
import { decodeForm } from './form-encoding.ts';
import { sendErrorPage, sendPage } from './page-reply.ts';
import { noticePage } from './pages/layout.ts';
import { authenticationPage } from './pages/other-pages.ts';
import { type PayMethod, type PayPage, payPage } from './pages/pay-page.ts';
import { authenticate, type PayResult, payByCard, payByDebit } from './payments.ts';
import type { Provider } from './provider.ts';
import { fileOf, findSession } from './sessions.ts';
import { addDebitPages, addPortalPages } from './side-pages.ts';

type Session = Stripe.Checkout.Session;
type WithId = { Params: { id: string }; Body: string };

const NO_FIELDS: PayFields = { email: '', name: '', number: '', expiry: '', cvc: '' };

/** Adds the pages under `/sandbox`. */
export function addHostedPages(app: FastifyInstance, provider: Provider): void {
  app.setErrorHandler((error, _request, reply) => sendErrorPage(reply, error));
  app.get('/sandbox/pay.css', async (_request, reply) => {
    const css = await readFile(new URL('pages/pay.css', import.meta.url));
    return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(css);
  });
  addPayPages(app, provider);
  addDebitPages(app, provider);
  addPortalPages(app, provider);
}

function addPayPages(app: FastifyInstance, provider: Provider): void {
  app.get<{ Params: { id: string }; Querystring: { fill?: string } }>('/sandbox/pay/:id', (request, reply) => {
    const session = sessionOf(provider, request.params.id);
    if (session.status !== 'open') return showClosed(reply, session);
    return showPayPage(provider, reply, session, { fields: fieldsToBegin(session, request.query.fill) });
  });
  app.post<WithId>('/sandbox/pay/:id', (request, reply) => {
    const session = sessionOf(provider, request.params.id);
    if (session.status !== 'open') return leave(reply, session);
    const form = decodeForm(request.body);
    const fields = fieldsOf(form, session);
    return form.method === 'us_bank_account' && session.payment_method_types.includes('us_bank_account')
      ? takeDebit(provider, reply, session, fields)
      : takeCard(provider, reply, session, fields);
  });
  app.get<WithId>('/sandbox/pay/:id/authenticate', (request, reply) => {
    const session = sessionOf(provider, request.params.id);
    if (session.status !== 'open') return showClosed(reply, session);
    if (!fileOf(provider, session.id).authenticating) return reply.redirect(`/sandbox/pay/${session.id}`, 303);
    return sendPage(reply, authenticationPage(session), session);
  });
  app.post<WithId>('/sandbox/pay/:id/authenticate', (request, reply) => {
    const { id } = sessionOf(provider, request.params.id);
    const payer = fileOf(provider, id).authenticating?.payer;
    const result = authenticate(provider, id, decodeForm(request.body).outcome === 'complete');
    return goOn(provider, reply, id, result, { ...NO_FIELDS, ...payer });
  });
}

function takeCard(provider: Provider, reply: FastifyReply, session: Session, fields: PayFields): FastifyReply {
  const read = readCard(fields, new Date(provider.now() * 1000));
  if ('errors' in read)
    return showPayPage(provider, reply, session, { fields: withoutSecrets(fields), errors: read.errors });
  return goOn(provider, reply, session.id, payByCard(provider, session.id, read.card), fields);
}

function takeDebit(provider: Provider, reply: FastifyReply, session: Session, fields: PayFields): FastifyReply {
  const read = readDebit(fields);
  const method: PayMethod = 'us_bank_account';
  if ('errors' in read) return showPayPage(provider, reply, session, { fields, method, errors: read.errors });
  return goOn(provider, reply, session.id, payByDebit(provider, session.id, read.payer), fields);
}

function goOn(provider: Provider, reply: FastifyReply, id: string, result: PayResult, fields: PayFields): FastifyReply {
  const session = sessionOf(provider, id);
  if (result.kind === 'declined') {
    return showPayPage(provider, reply, session, { fields: withoutSecrets(fields), refusal: result.message });
  }
  if (result.kind === 'authenticate') return reply.redirect(`/sandbox/pay/${id}/authenticate`, 303);
  return leave(reply, session);
}

/** Back to the shop when it is paid, by this request or by another one; to the page that says so when it is not. */
function leave(reply: FastifyReply, session: Session): FastifyReply {
  return reply.redirect(session.status === 'complete' ? successUrl(session) : `/sandbox/pay/${session.id}`, 303);
}

function successUrl(session: Session): string {
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function showPayPage(
  provider: Provider,
  reply: FastifyReply,
  session: Session,
  view: Pick<PayPage, 'fields'> & Partial<PayPage>,
): FastifyReply {
  const { lines } = fileOf(provider, session.id);
  const descriptions = new Map(lines.flatMap((line) => descriptionOf(provider, line)));
  return sendPage(reply, payPage({ session, lines, descriptions, method: 'card', errors: {}, ...view }), session);
}

function descriptionOf({ store }: Provider, { id, price }: Stripe.LineItem): [string, string][] {
  const product = typeof price?.product === 'string' ? store.products.find(price.product) : undefined;
  return product?.description ? [[id, product.description]] : [];
}

function showClosed(reply: FastifyReply, session: Session): FastifyReply {
  if (session.status === 'complete') {
    const text =
      session.payment_status === 'paid'
        ? 'You have paid. Nothing more is to do here.'
        : 'The bank debit was asked for. Where it stands is told where you came from.';
    return sendPage(reply, noticePage('This payment is complete', text, { href: successUrl(session), label: 'Go on' }));
  }
  const back = session.cancel_url === null ? undefined : { href: session.cancel_url, label: 'Go back' };
  return sendPage(
    reply,
    noticePage('This payment page has expired', 'Nothing was charged. To pay, begin again where you came from.', back),
  );
}

function fieldsToBegin(session: Session, fill?: string): PayFields {
  const email = session.customer_email ?? '';
  const hint = CARD_HINTS.find(({ number }) => number.replaceAll(' ', '') === fill);
  if (!hint) return { ...NO_FIELDS, email };
  return { email: email || 'payer@example.com', name: 'Sandy Box', number: hint.number, expiry: '12 / 34', cvc: '123' };
}

function fieldsOf(form: ReturnType<typeof decodeForm>, session: Session): PayFields {
  const text = (name: string): string => (typeof form[name] === 'string' ? form[name] : '');
  const email = session.customer_email ?? text('email');
  return { email, name: text('name'), number: text('number'), expiry: text('expiry'), cvc: text('cvc') };
}

/** What was typed comes back, but never the number and the code. */
function withoutSecrets(fields: PayFields): PayFields {
  return { ...fields, number: '', cvc: '' };
}

function sessionOf(provider: Provider, id: string): Session {
  const session = findSession(provider, id);
  if (!session) throw new StripeApiError(404, 'There is no such payment page.');
  return session;
}
