import { retrieveAccount } from './account.ts';
import { listCollection, presentList, readPage, rejectOtherFilters } from './api-lists.ts';
import { listTransactions, retrieveBalance, retrieveTransaction } from './balance.ts';
import { type Collection, equals } from './collection.ts';
import { retrieveDispute } from './disputes.ts';
import { listEvents, retrieveEvent } from './events.ts';
import { payOutOfBand } from './invoices.ts';
import { noSuchError } from './parameters.ts';
import { createPortalSession } from './portal.ts';
import { createProduct } from './products.ts';
import type { Provider } from './provider.ts';
import { createRefund } from './refunds.ts';
import type { RequestName } from './requests.ts';
import { presentPaymentMethod } from './resources/payment-method.ts';
import type { StripeRequests } from './schemas/stripe-requests.ts';
import { createSession, expireSession, listLineItems, listSessions, retrieveSession } from './sessions.ts';
import { updateSubscription } from './subscription-changes.ts';
import { cancelSubscription, retrieveSubscription } from './subscriptions.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  omitSecret,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts';

export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly request: RequestName;
  readonly handle: (provider: Provider, parameters: object, id: string) => object;
};

function defineCall<Name extends RequestName>(
  method: ApiCall['method'],
  path: string,
  request: Name,
  handle: (provider: Provider, parameters: StripeRequests[Name], id: string) => object,
): ApiCall {
  // The parameters were already validated against this schema.
  return {
    method,
    path,
    request,
    handle: (provider, parameters, id) => handle(provider, parameters as StripeRequests[Name], id),
  };
}

export const apiCalls: readonly ApiCall[] = [
  defineCall('POST', '/v1/checkout/sessions', 'SessionCreate', createSession),
  defineCall('GET', '/v1/checkout/sessions', 'SessionList', (provider, request) => {
    const page = readPage(request, ['created', 'customer', 'payment_intent', 'status', 'subscription']);
    return presentList('/v1/checkout/sessions', listSessions(provider, page));
  }),
  defineCall('GET', '/v1/checkout/sessions/:id', 'SessionRetrieve', (provider, _request, id) =>
    retrieveSession(provider, id),
  ),
  defineCall('POST', '/v1/checkout/sessions/:id/expire', 'SessionExpire', (provider, _request, id) =>
    expireSession(provider, id),
  ),
  defineCall('GET', '/v1/checkout/sessions/:id/line_items', 'LineItemList', (provider, request, id) => {
    return presentList(`/v1/checkout/sessions/${id}/line_items`, listLineItems(provider, id, readPage(request, [])));
  }),
  defineCall('POST', '/v1/products', 'ProductCreate', createProduct),
  defineCall('GET', '/v1/payment_intents', 'PaymentIntentList', ({ store }, request) =>
    listCollection('/v1/payment_intents', store.paymentIntents, request, ['created', 'customer']),
  ),
  defineCall(
    'GET',
    '/v1/payment_intents/:id',
    'PaymentIntentRetrieve',
    retrieve('payment_intent', ({ store }) => store.paymentIntents),
  ),
  defineCall('GET', '/v1/payment_methods/:id', 'PaymentMethodRetrieve', ({ store }, _request, id) => {
    const method = store.paymentMethods.find(id);
    if (!method) throw noSuchError('PaymentMethod', id);
    return presentPaymentMethod(method);
  }),
  defineCall('GET', '/v1/charges', 'ChargeList', ({ store }, request) =>
    listCollection('/v1/charges', store.charges, request, ['created', 'customer', 'payment_intent']),
  ),
  defineCall(
    'GET',
    '/v1/charges/:id',
    'ChargeRetrieve',
    retrieve('charge', ({ store }) => store.charges),
  ),
  defineCall('POST', '/v1/refunds', 'RefundCreate', createRefund),
  defineCall('GET', '/v1/refunds', 'RefundList', ({ store }, request) =>
    listCollection('/v1/refunds', store.refunds, request, ['charge', 'created', 'payment_intent']),
  ),
  defineCall(
    'GET',
    '/v1/refunds/:id',
    'RefundRetrieve',
    retrieve('refund', ({ store }) => store.refunds),
  ),
  defineCall('GET', '/v1/disputes', 'DisputeList', ({ store }, request) =>
    listCollection('/v1/disputes', store.disputes, request, ['charge', 'created', 'payment_intent']),
  ),
  defineCall('GET', '/v1/disputes/:id', 'DisputeRetrieve', (provider, _request, id) => retrieveDispute(provider, id)),
  defineCall(
    'GET',
    '/v1/radar/early_fraud_warnings/:id',
    'EarlyFraudWarningRetrieve',
    retrieve('early_fraud_warning', ({ store }) => store.fraudWarnings),
  ),
  defineCall(
    'GET',
    '/v1/customers/:id',
    'CustomerRetrieve',
    retrieve('customer', ({ store }) => store.customers),
  ),
  defineCall('GET', '/v1/invoices', 'InvoiceList', ({ store }, request) =>
    listCollection('/v1/invoices', store.invoices, request, ['created', 'customer', 'status', 'subscription']),
  ),
  defineCall(
    'GET',
    '/v1/invoices/:id',
    'InvoiceRetrieve',
    retrieve('invoice', ({ store }) => store.invoices),
  ),
  defineCall('POST', '/v1/invoices/:id/pay', 'InvoicePay', (provider, request, id) =>
    payOutOfBand(provider, id, request),
  ),
  defineCall('GET', '/v1/invoice_payments', 'InvoicePaymentList', ({ store }, request) => {
    rejectOtherFilters(request, ['created', 'invoice', 'payment', 'status']);
    const intent = request.payment?.payment_intent;
    const byIntent = intent === undefined ? [] : [equals('payment_intent', intent)];
    const page = readPage(request, ['created', 'invoice', 'status'], byIntent);
    return presentList('/v1/invoice_payments', store.invoicePayments.list(page));
  }),
  defineCall('GET', '/v1/subscriptions', 'SubscriptionList', ({ store }, request) => {
    rejectOtherFilters(request, ['created', 'customer', 'status']);
    const { status = 'not canceled' } = request;
    const notCanceled = status === 'not canceled' ? [{ sql: "status <> 'canceled'", values: [] }] : [];
    const columns = ['created', 'customer', ...(request.status && status !== 'all' ? ['status'] : [])];
    return presentList('/v1/subscriptions', store.subscriptions.list(readPage(request, columns, notCanceled)));
  }),
  defineCall('GET', '/v1/subscriptions/:id', 'SubscriptionRetrieve', (provider, _request, id) =>
    retrieveSubscription(provider, id),
  ),
  defineCall('POST', '/v1/subscriptions/:id', 'SubscriptionUpdate', (provider, request, id) =>
    updateSubscription(provider, id, request),
  ),
  defineCall('DELETE', '/v1/subscriptions/:id', 'SubscriptionCancel', (provider, request, id) =>
    cancelSubscription(provider, id, request),
  ),
  defineCall('POST', '/v1/billing_portal/sessions', 'PortalSessionCreate', createPortalSession),
  defineCall('GET', '/v1/balance', 'BalanceRetrieve', retrieveBalance),
  defineCall('GET', '/v1/balance_transactions', 'BalanceTransactionList', (provider, request) => {
    rejectOtherFilters(request, ['created', 'currency', 'payout', 'source', 'type']);
    const page = readPage(request, ['created', 'currency', 'source', 'type']);
    return presentList('/v1/balance_transactions', listTransactions(provider, request, page));
  }),
  defineCall('GET', '/v1/balance_transactions/:id', 'BalanceTransactionRetrieve', (provider, _request, id) =>
    retrieveTransaction(provider, id),
  ),
  defineCall('GET', '/v1/payouts', 'PayoutList', ({ store }, request) =>
    listCollection('/v1/payouts', store.payouts, request, ['arrival_date', 'created', 'status']),
  ),
  defineCall(
    'GET',
    '/v1/payouts/:id',
    'PayoutRetrieve',
    retrieve('payout', ({ store }) => store.payouts),
  ),
  defineCall('POST', '/v1/webhook_endpoints', 'WebhookEndpointCreate', createWebhookEndpoint),
  defineCall('GET', '/v1/webhook_endpoints', 'WebhookEndpointList', ({ store }, request) => {
    const { data, hasMore } = store.webhookEndpoints.list(readPage(request, []));
    return presentList('/v1/webhook_endpoints', { data: data.map(omitSecret), hasMore });
  }),
  defineCall('POST', '/v1/webhook_endpoints/:id', 'WebhookEndpointUpdate', (provider, request, id) =>
    updateWebhookEndpoint(provider, id, request),
  ),
  defineCall('DELETE', '/v1/webhook_endpoints/:id', 'WebhookEndpointDelete', (provider, _request, id) =>
    deleteWebhookEndpoint(provider, id),
  ),
  defineCall('GET', '/v1/account', 'AccountRetrieve', retrieveAccount),
  defineCall('GET', '/v1/events', 'EventList', ({ store }, request) => {
    return presentList('/v1/events', listEvents(store, request, readPage(request, ['created'])));
  }),
  defineCall('GET', '/v1/events/:id', 'EventRetrieve', ({ store }, _request, id) => retrieveEvent(store, id)),
];

function retrieve(kind: string, getCollection: (provider: Provider) => Collection<{ id: string }>): ApiCall['handle'] {
  return (provider, _parameters, id) => {
    const resource = getCollection(provider).find(id);
    if (!resource) throw noSuchError(kind, id);
    return resource;
  };
}
