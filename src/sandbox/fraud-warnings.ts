import type Stripe from 'stripe';
import { equals } from './collection.ts';
import { invalidRequest, noSuchError } from './parameters.ts';
import { createStripeId, type Provider } from './provider.ts';

/** Simulates a card issuer's suspicion of fraud, which often leads to a dispute. @throws StripeApiError */
export function createFraudWarning(provider: Provider, chargeId: string): void {
  const { store } = provider;
  const charge = store.charges.find(chargeId);
  if (!charge) throw noSuchError('charge', chargeId);
  if (charge.status !== 'succeeded' || charge.payment_method_details?.type !== 'card')
    throw invalidRequest('Only a card payment that succeeded can get a fraud warning.');
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: createStripeId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.disputed && !charge.refunded,
    charge: charge.id,
    created: provider.now(),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(charge.payment_intent === null ? {} : { payment_intent: charge.payment_intent }),
  };
  store.fraudWarnings.save(warning);
  provider.emit('radar.early_fraud_warning.created', warning);
}

/** Ends the charge's warnings: a disputed or fully refunded charge has no actionable ones. */
export function endFraudWarnings(provider: Provider, chargeId: string): void {
  for (const previous of provider.store.fraudWarnings.all(equals('charge', chargeId))) {
    if (!previous.actionable) continue;
    const warning = { ...previous, actionable: false };
    provider.store.fraudWarnings.save(warning);
    provider.emit('radar.early_fraud_warning.updated', warning, previous);
  }
}
