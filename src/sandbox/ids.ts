import { randomBytes } from 'node:crypto';

/** A new id in Stripe's manner. @param prefix such as `cs_test` */
export function stripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
