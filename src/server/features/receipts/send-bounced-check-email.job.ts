import { z } from 'zod';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { getReceiptLanguage } from '#domain/receipt.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { receiptFilePath } from './receipt-link.ts';
import { findReceiptSourceByEntry } from './receipt-sources.store.ts';
import { type ReturnEmailDeps, returnEmail } from './send-returned-gift-email.job.ts';

/** Emails a donor whose check the bank returned unpaid (decisions §3). */
export const sendBouncedCheckEmail = defineJob({
  name: 'send-bounced-check-email',
  payload: z.object({ orgId: z.string(), entryId: z.string() }),
  async run({ db, mailer, publicUrl }: ReturnEmailDeps, { orgId, entryId }) {
    const receipt = await findReceiptSourceByEntry(db.kysely, orgId, entryId);
    if (!receipt?.email || !isEmail(receipt.email)) return;
    const { document, key } = receipt;
    const donatePath = localizeAddress(pagePath('donate-page', { orgid: orgId }), getReceiptLanguage(document));
    await mailer.send(
      returnEmail({
        document,
        remaining: 0,
        email: receipt.email,
        amount: document.amount,
        status: 'bounced',
        fileLink: publicUrl() + receiptFilePath({ orgId, key }),
        donateLink: publicUrl() + donatePath,
        publicUrl: publicUrl(),
        messageKey: `bounced-check-${entryId}`,
      }),
    );
  },
});
