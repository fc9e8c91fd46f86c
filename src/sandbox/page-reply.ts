import type { FastifyReply } from 'fastify';
import type Stripe from 'stripe';
import { StripeApiError } from './api-error.ts';
import { noticePage } from './pages/layout.ts';

/**
 * Sends a page under the strictest policy.
 * @param session the one whose form is on it: when that is sent the browser is led to its success_url, which the policy must let pass
 */
export function sendPage(reply: FastifyReply, page: string, session?: Stripe.Checkout.Session): FastifyReply {
  const shop = session?.success_url ? ` ${new URL(session.success_url).origin}` : '';
  const policy = `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'${shop}; base-uri 'none'; frame-ancestors 'none'`;
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' });
  return reply.type('text/html; charset=utf-8').send(page);
}

/** Says what went wrong: no more than that something did, when it is the sandbox's own failure. */
export function sendErrorPage(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof StripeApiError) {
    const title = error.status === 404 ? 'Not found' : 'This cannot be read';
    return sendPage(reply.status(error.status), noticePage(title, error.message));
  }
  reply.log.error({ err: error }, 'the sandbox failed');
  return sendPage(reply.status(500), noticePage('The sandbox failed', 'Its log says why.'));
}
