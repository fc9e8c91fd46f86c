import { z } from 'zod';
import { inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { isEmail } from '#domain/profile.ts';
import { receiptLanguage } from '#domain/receipt.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { receiptFilePath } from './receipt-link.ts';
import { receiptSourceOfEntry } from './receipt-sources.store.ts';
import { type ReturnMailDeps, returnMail } from './send-returned-gift-email.job.ts';

/** Emails a donor whose check the bank returned unpaid (decisions §3). */
export const sendBouncedCheckEmail = defineJob({
  name: 'send-bounced-check-email',
  payload: z.object({ orgId: z.string(), entryId: z.string() }),
  async run({ db, mailer, publicUrl }: ReturnMailDeps, { orgId, entryId }) {
    const source = await receiptSourceOfEntry(db.kysely, orgId, entryId);
    if (!source?.email || !isEmail(source.email)) return;
    const { document, key } = source;
    const donatePath = inLanguage(pagePath('donate-page', { orgid: orgId }), receiptLanguage(document));
    await mailer.send(
      returnMail({
        document,
        remaining: 0,
        email: source.email,
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
