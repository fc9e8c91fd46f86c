import { z } from 'zod';
import { parseLanguage } from '#contract/languages.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import type { EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { composeEmail, type Envelope, paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { findDonor, findDonorLanguage } from './donors.store.ts';

/** Notifies a donor's original address that receipts are now sent to a corrected address, without showing that address. */
export const sendCorrectedAddressEmail = defineJob({
  name: 'send-corrected-address-email',
  payload: z.object({ orgId: z.string(), donorId: z.string(), email: z.string() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, donorId, email }) {
    const donor = await findDonor(db.kysely, { orgId, donorId });
    const org = await findOrg(db, orgId);
    // The correction was undone, or the donor was erased.
    if (!org || donor?.email !== email || donor.corrected_email === null || !isEmail(email)) return;
    await mailer.send(
      composeCorrectedAddressEmail({
        language: parseLanguage(await findDonorLanguage(db.kysely, donorId)),
        email,
        name: donor.name,
        orgName: org.name,
        parent,
        publicUrl: publicUrl(),
        messageKey: `donor-address-${donorId}-${donor.corrected_email}`,
      }),
    );
  },
});

type CorrectedAddressEmail = Envelope & { readonly name: string | null; readonly orgName: string };

export function composeCorrectedAddressEmail(details: CorrectedAddressEmail): Email {
  const { language, name, orgName, parent } = details;
  const options = { locale: language };
  const title = m.emailAddressCorrectedTitle({}, options);
  return composeEmail(details, {
    subject: m.emailAddressCorrectedSubject({ program: orgName }, options),
    preheader: title,
    name,
    title,
    parts: [
      paragraph(m.emailAddressCorrectedText({ program: orgName }, options)),
      paragraph(m.emailReceiptElsewhereContact({ email: parent.contactEmail }, options)),
    ],
  });
}
