import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { extractLinks } from '#test/support/email-text.ts';
import { SPOOFED_HOSTS } from '#test/support/spoofed-hosts.ts';

const setup = await startDonationSetup();
const { app, deps, orgId, provider } = setup;

test.each(SPOOFED_HOSTS)(
  'a receipt links to the configured site regardless of the checkout’s host: %j',
  async (headers) => {
    const response = await app.inject({
      method: 'POST',
      url: callPath('createCheckout', { orgid: orgId }),
      headers: { 'x-requested-with': 'test', 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ cart: [donationItem(25)] }),
    });
    // The payment page also returns to the configured site.
    expect(new URL(await provider.pay(response.json<{ url: string }>().url)).origin).toBe('https://fund.example');
    await provider.deliverEvents();
    const sentEmails: Email[] = [];
    const mailer = { send: async (email: Email) => void sentEmails.push(email) };
    const receiptNumber = setup.queuedReceipts.at(-1) ?? 0;
    await sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber, mailingId: 'first' });
    const links = sentEmails.flatMap(({ html }) => extractLinks(html));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(new URL(link).origin).toBe('https://fund.example');
  },
);
