import type Stripe from 'stripe';
import { checkMetadata, rejectUnsupported } from './parameters.ts';
import type { Provider } from './provider.ts';
import { newProduct } from './resources/session.ts';
import { checkDescriptor } from './session-rules.ts';

const SUPPORTED_PARAMETERS = ['description', 'expand', 'images', 'metadata', 'name', 'statement_descriptor'];

/** @throws StripeApiError */
export function createProduct(provider: Provider, request: Stripe.ProductCreateParams): Stripe.Product {
  rejectUnsupported(request, SUPPORTED_PARAMETERS);
  checkMetadata(request.metadata, 'metadata');
  checkDescriptor(request.statement_descriptor, 5, 'statement_descriptor');
  const product = { ...newProduct(request, provider.now()), active: true };
  provider.store.products.save(product);
  return product;
}
