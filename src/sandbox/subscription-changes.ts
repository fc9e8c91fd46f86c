import type Stripe from 'stripe';
import {
  checkMetadata,
  invalidRequest,
  missingParameter,
  noSuchError,
  presentMetadata,
  rejectUnsupported,
} from './parameters.ts';
import type { Provider } from './provider.ts';
import { startNewCycle } from './renewals.ts';
import { newPrice } from './resources/session.ts';
import { newItem, toPlan } from './resources/subscription.ts';
import { checkRecurringPrice } from './session-rules.ts';
import { retrieveSubscription } from './subscriptions.ts';

type Subscription = Stripe.Subscription;
type Change = Stripe.SubscriptionUpdateParams;
type ItemChange = NonNullable<Change['items']>[number];

const SUPPORTED_PARAMETERS = [
  'cancel_at_period_end',
  'cancellation_details',
  'default_payment_method',
  'description',
  'expand',
  'items',
  'metadata',
  'off_session',
  'pause_collection',
  'proration_behavior',
  'trial_end',
];
const SUPPORTED_ITEM_PARAMETERS = ['deleted', 'id', 'price_data', 'quantity'];
const SUPPORTED_PRICE_PARAMETERS = ['currency', 'product', 'recurring', 'unit_amount', 'unit_amount_decimal'];

/** @throws StripeApiError for a change that Stripe would reject or the sandbox doesn't support */
export function updateSubscription(provider: Provider, id: string, change: Change): Subscription {
  const previous = retrieveSubscription(provider, id);
  rejectUnsupported(change, SUPPORTED_PARAMETERS);
  if (previous.status === 'canceled')
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
  checkMetadata(change.metadata, 'metadata');
  const now = provider.now();
  const items = applyItemChanges(provider, previous, change);
  const changedSubscription: Subscription = {
    ...previous,
    items: { ...previous.items, data: items },
    description: change.description === undefined ? previous.description : change.description || null,
    metadata: mergeMetadata(previous, change),
    pause_collection: resolvePause(previous, change),
    default_payment_method: resolvePaymentMethod(provider, previous, change),
  };
  const updatedSubscription = {
    ...changedSubscription,
    ...getCancelFields(changedSubscription, change.cancel_at_period_end, now),
  };
  if (change.trial_end !== undefined) return save(provider, applyTrial(updatedSubscription, change, now), previous);
  if (getInterval(items[0]) === getInterval(previous.items.data[0]))
    return save(provider, updatedSubscription, previous);
  startNewCycle(provider, updatedSubscription, previous);
  return retrieveSubscription(provider, id);
}

function save(provider: Provider, after: Subscription, previous: Subscription): Subscription {
  provider.store.subscriptions.save(after);
  provider.emit('customer.subscription.updated', after, previous);
  return after;
}

function mergeMetadata(previous: Subscription, { metadata }: Change): Stripe.Metadata {
  return metadata === undefined
    ? previous.metadata
    : presentMetadata(metadata && { ...previous.metadata, ...metadata });
}

function resolvePause(previous: Subscription, { pause_collection: pause }: Change): Subscription['pause_collection'] {
  if (pause === undefined) return previous.pause_collection;
  return pause ? { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null } : null;
}

function resolvePaymentMethod(
  { store }: Provider,
  previous: Subscription,
  change: Change,
): Subscription['default_payment_method'] {
  const id = change.default_payment_method;
  if (id === undefined) return previous.default_payment_method;
  const method = store.paymentMethods.find(id);
  if (method && method.customer === previous.customer) return id;
  throw noSuchError('PaymentMethod', id, 'default_payment_method');
}

function getCancelFields(
  subscription: Subscription,
  atPeriodEnd: boolean | undefined,
  now: number,
): Partial<Subscription> {
  if (atPeriodEnd === undefined) return {};
  if (!atPeriodEnd) return { cancel_at_period_end: false, cancel_at: null, canceled_at: null };
  const end = subscription.items.data[0]?.current_period_end ?? now;
  return { cancel_at_period_end: true, cancel_at: end, canceled_at: now };
}

/** Charges nothing until the trial ends; the billing cycle starts then. */
function applyTrial(subscription: Subscription, { trial_end: end }: Change, now: number): Subscription {
  if (typeof end !== 'number') throw invalidRequest('The sandbox does not support `trial_end` = now.', 'trial_end');
  if (end <= now) throw invalidRequest('The `trial_end` timestamp must be in the future.', 'trial_end');
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: now,
    current_period_end: end,
  }));
  const trial = { billing_cycle_anchor: end, status: 'trialing', trial_start: now, trial_end: end } as const;
  return { ...subscription, ...trial, items: { ...subscription.items, data } };
}

function applyItemChanges(provider: Provider, previous: Subscription, change: Change): Stripe.SubscriptionItem[] {
  if (!change.items) return previous.items.data;
  if (change.proration_behavior !== 'none')
    throw invalidRequest('The sandbox changes items only with `proration_behavior` = none.', 'proration_behavior');
  let items = previous.items.data;
  for (const [index, item] of change.items.entries())
    items = applyItemChange(provider, previous, items, item, `items[${index}]`);
  if (items.length === 0) throw invalidRequest('A subscription must have at least one active item.', 'items');
  if (new Set(items.map(getInterval)).size > 1)
    throw invalidRequest('The sandbox has only subscriptions with one billing interval.', 'items');
  return items;
}

function applyItemChange(
  provider: Provider,
  subscription: Subscription,
  items: readonly Stripe.SubscriptionItem[],
  change: ItemChange,
  param: string,
): Stripe.SubscriptionItem[] {
  rejectUnsupported(change, SUPPORTED_ITEM_PARAMETERS, param);
  const price = createPrice(provider, subscription, change, param);
  if (change.id === undefined) {
    if (!price) throw missingParameter(`${param}[price_data]`);
    const addedItem = newItem(price, change.quantity ?? 1, subscription.id, provider.now());
    const { current_period_start, current_period_end } = items[0] ?? addedItem;
    return [...items, { ...addedItem, current_period_start, current_period_end }];
  }
  const previous = items.find(({ id }) => id === change.id);
  if (!previous) throw noSuchError('subscription item', change.id, `${param}[id]`);
  if (change.deleted) return items.filter((item) => item !== previous);
  const quantity = change.quantity ?? previous.quantity ?? 1;
  const changedItem = {
    ...previous,
    quantity,
    ...(price?.recurring && { price, plan: toPlan(price, price.recurring) }),
  };
  return items.map((item) => (item === previous ? changedItem : item));
}

function createPrice(
  provider: Provider,
  { currency }: Subscription,
  { price_data: data }: ItemChange,
  param: string,
): Stripe.Price | undefined {
  if (!data) return undefined;
  rejectUnsupported(data, SUPPORTED_PRICE_PARAMETERS, `${param}[price_data]`);
  if (!provider.store.products.find(data.product))
    throw noSuchError('product', data.product, `${param}[price_data][product]`);
  if (data.currency !== currency)
    throw invalidRequest(`The subscription is in ${currency}.`, `${param}[price_data][currency]`);
  checkRecurringPrice(data, `${param}[price_data]`);
  return newPrice(data, data.product, provider.now());
}

function getInterval(item: Stripe.SubscriptionItem | undefined): string {
  const { interval, interval_count } = item?.price.recurring ?? {};
  return `${interval_count} ${interval}`;
}
