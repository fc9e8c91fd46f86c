// What Stripe asks of the line items of a session, beyond their types.
import type Stripe from 'stripe';
import { invalidRequest, missingParameter, noSuch } from './api-error.ts';
import { checkMetadata } from './metadata.ts';
import { lineAmount } from './resources/line-item.ts';
import { refuseUnsupported } from './unsupported.ts';

export type RequestedLine = Stripe.Checkout.SessionCreateParams.LineItem;
type PriceData = NonNullable<RequestedLine['price_data']>;

/** The least charge of each currency that the sandbox takes, in its hundredths. */
const LEAST_CHARGE: ReadonlyMap<string, number> = new Map([
  ...(['usd', 'aud', 'cad', 'chf', 'eur', 'nzd'] as const).map((currency) => [currency, 50] as const),
  ['gbp', 30],
]);
const LARGEST_CHARGE = 99_999_999;
/** Three years. */
const LONGEST_INTERVAL: ReadonlyMap<string, number> = new Map([
  ['day', 1095],
  ['week', 156],
  ['month', 36],
  ['year', 3],
]);

/** @param param its name in the request, such as `line_items[0]` @throws StripeApiError */
export function checkLine(line: RequestedLine, param: string): void {
  refuseUnsupported(line, ['price', 'price_data', 'quantity'], param);
  if (line.price) throw noSuch('price', line.price, `${param}[price]`);
  if (!line.price_data) throw missingParameter(`${param}[price_data]`);
  if (line.quantity === undefined) {
    throw invalidRequest(`Quantity is required. Add \`quantity\` to \`${param}\``, `${param}[quantity]`);
  }
  checkAtLeast(1, line.quantity, `${param}[quantity]`);
  checkPrice(line.price_data, `${param}[price_data]`);
}

function checkPrice(price: PriceData, param: string): void {
  if (price.product) throw noSuch('product', price.product, `${param}[product]`);
  if (!price.product_data) throw missingParameter(`${param}[product_data]`);
  checkMetadata(price.product_data.metadata, `${param}[product_data][metadata]`);
  if (!LEAST_CHARGE.has(price.currency)) {
    const taken = [...LEAST_CHARGE.keys()].join(', ');
    throw invalidRequest(`Invalid currency: ${price.currency}. The sandbox takes ${taken}.`, `${param}[currency]`);
  }
  checkUnitAmount(price, param);
  if (price.recurring) checkInterval(price.recurring, `${param}[recurring][interval_count]`);
}

function checkUnitAmount(price: PriceData, param: string): void {
  if (price.unit_amount === undefined && price.unit_amount_decimal === undefined) {
    throw missingParameter(`${param}[unit_amount]`);
  }
  if (price.unit_amount !== undefined && price.unit_amount_decimal !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: unit_amount, unit_amount_decimal.', param);
  }
  checkAtLeast(0, price.unit_amount ?? 0, `${param}[unit_amount]`);
}

function checkAtLeast(least: number, value: number, param: string): void {
  if (value >= least) return;
  const message = `This value must be greater than or equal to ${least}.`;
  throw invalidRequest(message, param, 'parameter_invalid_integer');
}

function checkInterval(
  { interval, interval_count: count = 1 }: NonNullable<PriceData['recurring']>,
  param: string,
): void {
  checkAtLeast(1, count, param);
  const most = LONGEST_INTERVAL.get(interval) ?? 1;
  if (count <= most) return;
  const message = `Invalid interval_count: at most three years, which is ${most} for the interval ${interval}.`;
  throw invalidRequest(message, param);
}

/** One currency, and neither too little nor too much to charge. @throws StripeApiError */
export function checkTotal(lines: readonly RequestedLine[], mode: string | undefined): void {
  const currencies = new Set(lines.map((line) => line.price_data?.currency));
  if (currencies.size > 1) {
    throw invalidRequest('All line items of a Checkout Session must have the same currency.', 'line_items');
  }
  const total = lines.reduce((sum, line) => sum + lineAmount(line), 0);
  const least = LEAST_CHARGE.get(lines[0]?.price_data?.currency ?? '') ?? 0;
  if (mode === 'payment' && total < least) {
    const message = `The Checkout Session's total amount must convert to at least ${least} cents.`;
    throw invalidRequest(message, 'line_items', 'amount_too_small');
  }
  if (total > LARGEST_CHARGE) {
    const message = "The Checkout Session's total amount must be no more than $999,999.99.";
    throw invalidRequest(message, 'line_items', 'amount_too_large');
  }
}
