import { z } from 'zod';
import { parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { UnclaimedGifts } from '#contract/schemas/users.ts';
import { dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { Subject } from '#domain/permissions.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { findAddressOwner, type UserFacts } from '#server/entities/find-user.ts';
import { recordClaim } from '#server/features/activity/record-activity.ts';
import {
  button,
  composeEmail,
  type Envelope,
  loginUrl,
  note,
  paragraph,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import {
  assignGifts,
  type DonorKey,
  findDonor,
  findDonorLanguage,
  listUnclaimedDonors,
  lockDonor,
  rejectCorrection,
} from './donors.store.ts';

/** Reads gifts whose corrected address is the caller's and that the caller hasn't claimed or declined yet. */
export async function readUnclaimedGifts({ kysely }: Database, { email }: UserFacts): Promise<UnclaimedGifts[]> {
  const rows = await listUnclaimedDonors(kysely, email);
  return rows.map(({ id, org_id, org_name, gifts, last_gift_at, created_at, time_zone }) => ({
    donorid: id,
    orgid: org_id,
    orgName: org_name,
    gifts,
    lastGiftOn: dayOf(last_gift_at ?? created_at, time_zone),
  }));
}

/** Finds the subject for the permission check: unclaimed gifts belong to the owner of the corrected address. */
export async function findGiftsClaimSubject({ kysely }: Database, key: DonorKey): Promise<Subject> {
  const donor = await findDonor(kysely, key);
  const owner =
    donor?.corrected_email && donor.user_id === null
      ? await findAddressOwner(kysely, donor.corrected_email)
      : undefined;
  return { orgId: key.orgId, ownerId: owner?.userId };
}

/**
 * Records whether the owner of a corrected address claims or declines the gifts. Claimed gifts appear on the owner's "My
 * giving" page, and emails with links are sent to the owner. Declined gifts keep their original address.
 * @returns Failure donor-not-found if no claim is pending
 */
export async function resolveGiftsClaim(
  { db }: Pick<AppDeps, 'db'>,
  key: DonorKey,
  { isAccepted, ipAddress }: { readonly isAccepted: boolean; readonly ipAddress: string },
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const donor = await lockDonor(tx, key);
    const owner =
      donor?.corrected_email && donor.user_id === null ? await findAddressOwner(tx, donor.corrected_email) : undefined;
    if (!owner) return new Failure('donor-not-found');
    await (isAccepted ? assignGifts(tx, key, owner) : rejectCorrection(tx, key));
    await recordClaim(tx, { orgId: key.orgId, userId: owner.userId, ipAddress, isAccepted });
    return {};
  });
}

/** Asks the owner of a corrected address whether the gifts are theirs. */
export const sendGiftsClaimEmail = defineJob({
  name: 'send-gifts-claim-email',
  payload: z.object({ orgId: z.string(), donorId: z.string(), email: z.string() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, donorId, email }) {
    const donor = await findDonor(db.kysely, { orgId, donorId });
    const org = await findOrg(db, orgId);
    if (!org || donor?.corrected_email !== email || donor.user_id !== null || !isEmail(email)) return;
    const owner = await findAddressOwner(db.kysely, email);
    const language = owner?.language ?? parseLanguage(await findDonorLanguage(db.kysely, donorId));
    const messageKey = `gifts-claim-${donorId}-${email}`;
    await mailer.send(
      composeGiftsClaimEmail({ language, email, orgName: org.name, parent, publicUrl: publicUrl(), messageKey }),
    );
  },
});

/** Mentions neither the donor nor the gifts, because the address may be a stranger's. */
export function composeGiftsClaimEmail(details: Envelope & { readonly orgName: string }): Email {
  const { language, orgName: org, publicUrl } = details;
  const options = { locale: language };
  return composeEmail(details, {
    subject: m.emailGiftsClaimSubject({ org }, options),
    preheader: m.emailGiftsClaimPreview({ org }, options),
    name: null,
    title: m.giftsClaimTitle({}, options),
    parts: [
      paragraph(m.emailGiftsClaimText({ org }, options)),
      button(m.emailGiftsClaimButton({}, options), loginUrl(publicUrl, pagePath('user-home-page', {}), language)),
      note(m.emailGiftsClaimHelp({}, options)),
    ],
  });
}
