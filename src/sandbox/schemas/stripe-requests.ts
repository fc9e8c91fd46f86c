import type Stripe from 'stripe';

/**
 * The request parameters of every call the sandbox handles, in the installed Stripe SDK's types.
 * `npm run stripe-schemas` generates stripe-requests.gen.json from this.
 */
export interface StripeRequests {
  SessionCreate: Stripe.Checkout.SessionCreateParams;
  SessionRetrieve: Stripe.Checkout.SessionRetrieveParams;
  SessionList: Stripe.Checkout.SessionListParams;
  SessionExpire: Stripe.Checkout.SessionExpireParams;
  LineItemList: Stripe.Checkout.SessionListLineItemsParams;
  ProductCreate: Stripe.ProductCreateParams;
  PaymentIntentRetrieve: Stripe.PaymentIntentRetrieveParams;
  PaymentIntentList: Stripe.PaymentIntentListParams;
  PaymentMethodRetrieve: Stripe.PaymentMethodRetrieveParams;
  ChargeRetrieve: Stripe.ChargeRetrieveParams;
  ChargeList: Stripe.ChargeListParams;
  EarlyFraudWarningRetrieve: Stripe.Radar.EarlyFraudWarningRetrieveParams;
  DisputeRetrieve: Stripe.DisputeRetrieveParams;
  DisputeList: Stripe.DisputeListParams;
  CustomerRetrieve: Stripe.CustomerRetrieveParams;
  InvoiceRetrieve: Stripe.InvoiceRetrieveParams;
  InvoiceList: Stripe.InvoiceListParams;
  InvoicePay: Stripe.InvoicePayParams;
  InvoicePaymentList: Stripe.InvoicePaymentListParams;
  RefundCreate: Stripe.RefundCreateParams;
  RefundRetrieve: Stripe.RefundRetrieveParams;
  RefundList: Stripe.RefundListParams;
  SubscriptionRetrieve: Stripe.SubscriptionRetrieveParams;
  SubscriptionList: Stripe.SubscriptionListParams;
  SubscriptionUpdate: Stripe.SubscriptionUpdateParams;
  SubscriptionCancel: Stripe.SubscriptionCancelParams;
  PortalSessionCreate: Stripe.BillingPortal.SessionCreateParams;
  BalanceRetrieve: Stripe.BalanceRetrieveParams;
  BalanceTransactionRetrieve: Stripe.BalanceTransactionRetrieveParams;
  BalanceTransactionList: Stripe.BalanceTransactionListParams;
  PayoutRetrieve: Stripe.PayoutRetrieveParams;
  PayoutList: Stripe.PayoutListParams;
  WebhookEndpointCreate: Stripe.WebhookEndpointCreateParams;
  WebhookEndpointUpdate: Stripe.WebhookEndpointUpdateParams;
  WebhookEndpointDelete: Stripe.WebhookEndpointDeleteParams;
  WebhookEndpointList: Stripe.WebhookEndpointListParams;
  AccountRetrieve: Stripe.AccountRetrieveCurrentParams;
  EventRetrieve: Stripe.EventRetrieveParams;
  EventList: Stripe.EventListParams;
}

/** The subset of JSON Schema that describes a form-encoded request. */
export type WireSchema = {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly properties?: Readonly<Record<string, WireSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | WireSchema;
  readonly items?: WireSchema;
  readonly anyOf?: readonly WireSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
};

/** The content of stripe-requests.gen.json: its source and a schema per request. */
export type StripeRequestSchemas = {
  readonly stripe: string;
  readonly apiVersion: string;
  readonly sources: string;
  readonly requests: Readonly<Record<keyof StripeRequests, WireSchema>>;
};
