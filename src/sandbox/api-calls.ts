import type Stripe from 'stripe';
import { listEvents, retrieveEvent } from './events.ts';
import { missingParameter, noSuch } from './parameters.ts';
import { createPortalSession } from './portal.ts';
import type { Provider } from './provider.ts';
import { createRefund } from './refunds.ts';
import type { RequestName } from './requests.ts';
import type { StripeRequests } from './schemas/stripe-requests.ts';
import { createSession, expireSession, listLineItems, listSessions, retrieveSession } from './sessions.ts';
import { type Collection, type Condition, equals, type Page } from './store.ts';
import { cancelSubscription, retrieveSubscription, updateSubscription } from './subscriptions.ts';

export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly request: RequestName;
  readonly answer: (provider: Provider, parameters: object, id: string) => object;
};

function call<Name extends RequestName>(
  method: ApiCall['method'],
  path: string,
  request: Name,
  answer: (provider: Provider, parameters: StripeRequests[Name], id: string) => object,
): ApiCall {
  // The parameters were validated against the schema of that name.
  return {
    method,
    path,
    request,
    answer: (provider, parameters, id) => answer(provider, parameters as StripeRequests[Name], id),
  };
}

export const apiCalls: readonly ApiCall[] = [
  call('POST', '/v1/checkout/sessions', 'SessionCreate', createSession),
  call('GET', '/v1/checkout/sessions', 'SessionList', (provider, request) => {
    const conditions = equalTo(request, ['customer', 'payment_intent', 'status', 'subscription']);
    return listOf('/v1/checkout/sessions', listSessions(provider, pageOf(request, conditions)));
  }),
  call('GET', '/v1/checkout/sessions/:id', 'SessionRetrieve', (provider, _request, id) =>
    retrieveSession(provider, id),
  ),
  call('POST', '/v1/checkout/sessions/:id/expire', 'SessionExpire', (provider, _request, id) =>
    expireSession(provider, id),
  ),
  call('GET', '/v1/checkout/sessions/:id/line_items', 'LineItemList', (provider, request, id) => {
    return listOf(`/v1/checkout/sessions/${id}/line_items`, listLineItems(provider, id, pageOf(request, [])));
  }),
  call(
    'GET',
    '/v1/payment_intents/:id',
    'PaymentIntentRetrieve',
    retrieve('payment_intent', ({ store }) => store.paymentIntents),
  ),
  call(
    'GET',
    '/v1/charges/:id',
    'ChargeRetrieve',
    retrieve('charge', ({ store }) => store.charges),
  ),
  call(
    'GET',
    '/v1/customers/:id',
    'CustomerRetrieve',
    retrieve('customer', ({ store }) => store.customers),
  ),
  call(
    'GET',
    '/v1/invoices/:id',
    'InvoiceRetrieve',
    retrieve('invoice', ({ store }) => store.invoices),
  ),
  call('GET', '/v1/invoice_payments', 'InvoicePaymentList', ({ store }, request) => {
    if (!request.invoice) throw missingParameter('invoice');
    const page = pageOf(request, equalTo(request, ['invoice']));
    return listOf('/v1/invoice_payments', store.invoicePayments.list(page));
  }),
  call('POST', '/v1/refunds', 'RefundCreate', createRefund),
  call('GET', '/v1/refunds', 'RefundList', ({ store }, request) => {
    const page = pageOf(request, equalTo(request, ['charge', 'payment_intent']));
    return listOf('/v1/refunds', store.refunds.list(page));
  }),
  call(
    'GET',
    '/v1/refunds/:id',
    'RefundRetrieve',
    retrieve('refund', ({ store }) => store.refunds),
  ),
  call('GET', '/v1/subscriptions/:id', 'SubscriptionRetrieve', (provider, _request, id) =>
    retrieveSubscription(provider, id),
  ),
  call('POST', '/v1/subscriptions/:id', 'SubscriptionUpdate', (provider, request, id) =>
    updateSubscription(provider, id, request),
  ),
  call('DELETE', '/v1/subscriptions/:id', 'SubscriptionCancel', (provider, _request, id) =>
    cancelSubscription(provider, id),
  ),
  call('POST', '/v1/billing_portal/sessions', 'PortalSessionCreate', createPortalSession),
  call('GET', '/v1/events', 'EventList', ({ store }, request) => {
    return listOf('/v1/events', listEvents(store, request, pageOf(request, [])));
  }),
  call('GET', '/v1/events/:id', 'EventRetrieve', ({ store }, _request, id) => retrieveEvent(store, id)),
];

function retrieve(kind: string, collectionOf: (provider: Provider) => Collection<{ id: string }>): ApiCall['answer'] {
  return (provider, _parameters, id) => {
    const resource = collectionOf(provider).find(id);
    if (!resource) throw noSuch(kind, id);
    return resource;
  };
}

type PageRequest = Stripe.PaginationParams & { readonly created?: Stripe.RangeQueryParam | number };

function pageOf(request: PageRequest, conditions: readonly Condition[]): Page {
  return {
    conditions: [...conditions, ...createdWithin(request.created)],
    limit: request.limit,
    startingAfter: request.starting_after,
    endingBefore: request.ending_before,
  };
}

function createdWithin(created: PageRequest['created']): Condition[] {
  if (created === undefined) return [];
  if (typeof created === 'number') return [equals('created', created)];
  const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
  return Object.entries(comparisons).flatMap(([name, comparison]) => {
    const value = created[name as keyof typeof comparisons];
    return value === undefined ? [] : [{ sql: `created ${comparison} ?`, values: [value] }];
  });
}

/** One condition for each of these columns that the request names. */
function equalTo<Column extends string>(
  request: Partial<Record<Column, unknown>>,
  columns: readonly Column[],
): Condition[] {
  return columns.flatMap((column) => (request[column] === undefined ? [] : [equals(column, String(request[column]))]));
}

function listOf<T>(url: string, { data, hasMore }: { data: readonly T[]; hasMore: boolean }): object {
  return { object: 'list', data, has_more: hasMore, url };
}
