import type Stripe from 'stripe';

/**
 * The parameters of the requests that the sandbox answers, as the installed Stripe SDK types them.
 * `npm run stripe-schemas` makes stripe-requests.gen.json from this.
 */
export interface StripeRequests {
  SessionCreate: Stripe.Checkout.SessionCreateParams;
  SessionRetrieve: Stripe.Checkout.SessionRetrieveParams;
  SessionList: Stripe.Checkout.SessionListParams;
  SessionExpire: Stripe.Checkout.SessionExpireParams;
  LineItemList: Stripe.Checkout.SessionListLineItemsParams;
  PaymentIntentRetrieve: Stripe.PaymentIntentRetrieveParams;
  ChargeRetrieve: Stripe.ChargeRetrieveParams;
  CustomerRetrieve: Stripe.CustomerRetrieveParams;
  InvoiceRetrieve: Stripe.InvoiceRetrieveParams;
  InvoicePaymentList: Stripe.InvoicePaymentListParams;
  RefundCreate: Stripe.RefundCreateParams;
  RefundRetrieve: Stripe.RefundRetrieveParams;
  RefundList: Stripe.RefundListParams;
  SubscriptionRetrieve: Stripe.SubscriptionRetrieveParams;
  SubscriptionUpdate: Stripe.SubscriptionUpdateParams;
  SubscriptionCancel: Stripe.SubscriptionCancelParams;
  PortalSessionCreate: Stripe.BillingPortal.SessionCreateParams;
  EventRetrieve: Stripe.EventRetrieveParams;
  EventList: Stripe.EventListParams;
}
