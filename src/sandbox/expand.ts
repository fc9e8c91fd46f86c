import { presentTransaction } from './balance.ts';
import { equals } from './collection.ts';
import { invalidRequest } from './parameters.ts';
import type { Provider } from './provider.ts';
import { presentPaymentMethod } from './resources/payment-method.ts';
import type { Store } from './store.ts';

/** Replaces ids with their objects, for `expand[]=payment_intent.latest_charge`. @throws StripeApiError for anything but an id */
export function expand<T extends object>(provider: Provider, response: T, paths: readonly string[] | undefined): T {
  if (!paths || paths.length === 0) return response;
  // `structuredClone` would break the decimals of a new price.
  const copy = JSON.parse(JSON.stringify(response)) as T;
  for (const path of paths) expandPath(provider, copy, path.split('.'), path);
  return copy;
}

function expandPath(provider: Provider, target: unknown, [name, ...rest]: readonly string[], path: string): void {
  if (name === undefined) return;
  if (Array.isArray(target)) {
    for (const item of target) expandPath(provider, item, [name, ...rest], path);
    return;
  }
  if (!isObject(target)) throw expandError(path);
  const value = expandProperty(provider, target, name);
  // This property is optional: only failed refunds have it.
  if (value === undefined && target.object === 'refund' && name === 'failure_balance_transaction') return;
  if (value === undefined) throw expandError(path);
  if (value === null) return;
  target[name] = value;
  expandPath(provider, value, rest, path);
}

function expandProperty(provider: Provider, target: Record<string, unknown>, name: string): unknown {
  const value = target[name];
  // Another path may have already included the list.
  const included = isObject(value) ? undefined : includedList(provider.store, target, name);
  if (included) return included;
  return typeof value === 'string' ? findById(provider, value) : value;
}

/** Returns a list that its object includes only if the request expands it. */
function includedList(store: Store, target: Record<string, unknown>, name: string): object | undefined {
  const id = String(target.id);
  if (target.object === 'checkout.session' && name === 'line_items') {
    const url = `/v1/checkout/sessions/${id}/line_items`;
    const lines = store.sessionRecords.find(id)?.lines ?? [];
    return { object: 'list', data: structuredClone(lines.slice(0, 10)), has_more: lines.length > 10, url };
  }
  if (target.object === 'charge' && name === 'refunds') {
    const data = store.refunds.all(equals('charge', id));
    return { object: 'list', data: data.slice(0, 10), has_more: data.length > 10, url: `/v1/charges/${id}/refunds` };
  }
  if (target.object === 'invoice' && name === 'payments') {
    const data = store.invoicePayments.all(equals('invoice', id));
    return { object: 'list', data, has_more: false, url: `/v1/invoice_payments?invoice=${id}` };
  }
  return undefined;
}

function findById(provider: Provider, id: string): object | undefined {
  const { store } = provider;
  switch (id.slice(0, id.indexOf('_'))) {
    case 'pi':
      return store.paymentIntents.find(id);
    case 'ch':
      return store.charges.find(id);
    case 'txn': {
      const transaction = store.balanceTransactions.find(id);
      return transaction && presentTransaction(provider, transaction);
    }
    case 'pm': {
      const method = store.paymentMethods.find(id);
      return method && presentPaymentMethod(method);
    }
    case 're':
      return store.refunds.find(id);
    case 'du':
      return store.disputes.find(id);
    case 'po':
      return store.payouts.find(id);
    case 'cus':
      return store.customers.find(id);
    case 'in':
      return store.invoices.find(id);
    case 'prod':
      return store.products.find(id);
    case 'sub':
      return store.subscriptions.find(id);
    default:
      return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function expandError(path: string): Error {
  return invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
}
