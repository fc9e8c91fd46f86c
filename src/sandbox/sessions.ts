import type Stripe from 'stripe';
import { clockOffset } from './clock.ts';
import { limitError, type Page, type ResourceList } from './collection.ts';
import { invalidRequest, noSuchError } from './parameters.ts';
import type { Provider } from './provider.ts';
import { newLineItem, newSession, PAYMENT_METHODS } from './resources/session.ts';
import { checkSession, type RequestedLine } from './session-rules.ts';
import type { SessionRecord } from './store.ts';

type Session = Stripe.Checkout.Session;

/**
 * Creates a session. Merchants compute `expires_at` from real time, so the sandbox shifts it by its clock offset.
 * @throws StripeApiError if Stripe would reject it
 */
export function createSession(provider: Provider, request: Stripe.Checkout.SessionCreateParams): Session {
  const { store } = provider;
  const now = provider.now();
  const offset = clockOffset(store);
  checkSession(request, now - offset);
  checkAccount(provider, request);
  const lines = (request.line_items ?? []).map((line, index) =>
    newLineItem(line, findProduct(provider, line, index), now),
  );
  const items = lines.map(({ item }) => item);
  const expiry = request.expires_at === undefined ? {} : { expires_at: request.expires_at + offset };
  const session = newSession({ ...request, ...expiry }, items, now);
  for (const { product } of lines) store.products.save(product);
  store.sessions.save(session);
  store.sessionRecords.save({
    id: session.id,
    request,
    lines: items,
    payment_intent: null,
    pendingAuthentication: null,
  });
  return presentSession(provider, session);
}

function findProduct({ store }: Provider, line: RequestedLine, index: number): Stripe.Product | undefined {
  const id = line.price_data?.product;
  if (id === undefined) return undefined;
  const product = store.products.find(id);
  if (!product) throw noSuchError('product', id, `line_items[${index}][price_data][product]`);
  return product;
}

function checkAccount({ store }: Provider, request: Stripe.Checkout.SessionCreateParams): void {
  if (request.customer && !store.customers.find(request.customer))
    throw noSuchError('customer', request.customer, 'customer');
  const methods: readonly string[] = request.allowed_payment_method_types ?? PAYMENT_METHODS;
  if (methods.some((method) => PAYMENT_METHODS.includes(method))) return;
  throw invalidRequest(
    `The sandbox accepts ${PAYMENT_METHODS.join(' and ')}, and none of these is allowed.`,
    'allowed_payment_method_types',
  );
}

/** Finds a session, and expires it first if it is overdue. */
export function findSession(provider: Provider, id: string): Session | undefined {
  const session = provider.store.sessions.find(id);
  if (session?.status !== 'open' || session.expires_at > provider.now()) return session;
  return provider.store.transaction(() => markExpired(provider, session));
}

/** @throws StripeApiError 404 */
export function retrieveSession(provider: Provider, id: string): Session {
  const session = findSession(provider, id);
  if (!session) throw noSuchError('checkout.session', id);
  return presentSession(provider, session);
}

/** Closes an open session early. @throws StripeApiError if it is not open */
export function expireSession(provider: Provider, id: string): Session {
  const session = findSession(provider, id);
  if (!session) throw noSuchError('checkout.session', id);
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`;
    throw invalidRequest(message);
  }
  return presentSession(provider, markExpired(provider, session));
}

export function expireOverdueSessions(provider: Provider): void {
  provider.store.transaction(() => {
    for (
      let next = provider.store.sessions.nextDue(provider.now());
      next;
      next = provider.store.sessions.nextDue(provider.now())
    )
      markExpired(provider, next.resource);
  });
}

export function markExpired(provider: Provider, session: Session): Session {
  const expiredSession: Session = { ...session, status: 'expired' };
  provider.store.sessions.save(expiredSession);
  provider.emit('checkout.session.expired', presentSession(provider, expiredSession));
  return expiredSession;
}

export function listSessions(provider: Provider, page: Page): ResourceList<Session> {
  expireOverdueSessions(provider);
  const { data, hasMore } = provider.store.sessions.list(page);
  return { data: data.map((session) => presentSession(provider, session)), hasMore };
}

/** Lists the line items in request order, ten by default. @throws StripeApiError 404 */
export function listLineItems(provider: Provider, id: string, page: Page = {}): ResourceList<Stripe.LineItem> {
  const { lines } = requireRecord(provider, retrieveSession(provider, id).id);
  const { limit = 10, startingAfter } = page;
  if (limit < 1 || limit > 100) throw limitError();
  const startIndex = startingAfter === undefined ? 0 : lines.findIndex((line) => line.id === startingAfter) + 1;
  return { data: lines.slice(startIndex, startIndex + limit), hasMore: lines.length > startIndex + limit };
}

/** @throws Error if the record is missing, because every session is created with one */
export function requireRecord({ store }: Provider, sessionId: string): SessionRecord {
  const record = store.sessionRecords.find(sessionId);
  if (!record) throw new Error(`The sandbox has no record for the session ${sessionId}`);
  return record;
}

/** Presents a session in the API's format. An open session has the URL of its page at the current origin. */
export function presentSession({ publicUrl }: Provider, session: Session): Session {
  return { ...session, url: session.status === 'open' ? `${publicUrl()}/sandbox/pay/${session.id}` : null };
}
