import { z } from 'zod';
import { localizeAddress } from '#contract/languages.ts';
import { dayOf } from '#domain/days.ts';
import {
  carbonSentences,
  combineGifts,
  type DonorAllocation,
  giftSentences,
  toDonorAllocation,
} from '#domain/gift-homes.ts';
import type { OrgId } from '#domain/ids.ts';
import { isEmail } from '#domain/profile.ts';
import { getReceiptLanguage } from '#domain/receipt.ts';
import { m } from '#messages';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { isUnreachable } from '#server/db/unavailable.ts';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findOrg, type OrgFacts } from '#server/entities/find-org.ts';
import { findReceiptSourceByEntry } from '#server/features/receipts/read-receipt.ts';
import { getTestPaymentKind } from '#server/features/receipts/receipt-document.ts';
import { giftHomesPath } from '#server/features/recurring-gifts/gift-paths.ts';
import { button, composeEmail, type Envelope, note, paragraph } from '#server/gateways/email/compose-email.ts';
import { type Email, EmailRejectedError, type Mailer } from '#server/gateways/email/mailer.ts';
import type { JobQueue } from '#server/jobs/define-job.ts';
import { defineJob, defineRecurringJob } from '#server/jobs/define-job.ts';
import { sendAndRecord } from '#server/jobs/send-and-record.ts';
import type { Log } from '#server/log.ts';
import {
  findDonorAddresses,
  type GrantEmailRow,
  type GrantMailing,
  insertGrantEmails,
  listAnnouncedHomes,
  listMailingRows,
  listOrgsWithHomes,
  recordGrantEmailOutcome,
} from './grant-emails.store.ts';
import { type OrgAllocation, readAllocation } from './read-allocation.ts';
import { readGiftAllocations } from './read-gift-homes.ts';

/** Leaves time to reverse a payment that was recorded by mistake before donors get an email about it. */
const CORRECTION_PERIOD_MS = 60 * 60 * 1000;

type AnnounceDeps = Pick<AppDeps, 'db' | 'now'> & { readonly jobs: Pick<JobQueue, 'enqueue'> };

/**
 * Queues one email per donor whose gifts helped homes since the last run. Never emails twice about the same gift and
 * home. A failure is logged and doesn't delay other organizations.
 * @param signal aborted when the program stops; the next run queues the remaining emails
 */
export async function announceHomes(deps: AnnounceDeps & { readonly log: Log }, signal?: AbortSignal): Promise<void> {
  for (const orgId of await listOrgsWithHomes(deps.db.kysely)) {
    if (signal?.aborted) return;
    try {
      await queueOrgGrantEmails(deps, orgId, await readAllocation(deps.db, orgId), signal);
    } catch (err) {
      if (isUnreachable(err)) throw err;
      deps.log.error({ orgId, err }, 'home emails could not be queued');
    }
  }
}

export const announceHomesJob = defineRecurringJob({
  name: 'announce-homes',
  initialDelayMs: 1000,
  intervalMs: 10 * 60_000,
  isExclusive: true,
  run: announceHomes,
});

/** A gift and a home that it helped. */
type HelpedHome = { readonly entry_id: string; readonly grant_id: string };

/** Queues the emails of one organization, in one transaction per donor. Gifts without an address get none. */
export async function queueOrgGrantEmails(
  deps: AnnounceDeps,
  orgId: OrgId,
  allocation: OrgAllocation,
  signal?: AbortSignal,
): Promise<void> {
  const { db, now } = deps;
  const announcedKeys = new Set((await listAnnouncedHomes(db.kysely, orgId)).map(homeKey));
  const cutoff = now().getTime() - CORRECTION_PERIOD_MS;
  const newHomes = listHelpedHomes(allocation).filter(
    (home) => home.helpedSince <= cutoff && !announcedKeys.has(homeKey(home)),
  );
  const addresses = await findDonorAddresses(db.kysely, orgId, [...new Set(newHomes.map(({ entry_id }) => entry_id))]);
  for (const [address, homes] of Map.groupBy(newHomes, ({ entry_id }) => addresses.get(entry_id))) {
    if (signal?.aborted) return;
    if (address !== undefined) await queueMailing(deps, orgId, homes);
  }
}

async function queueMailing(
  { db, now, jobs }: AnnounceDeps,
  orgId: OrgId,
  homes: readonly HelpedHome[],
): Promise<void> {
  const mailingId = newId();
  const rows = homes.map(({ entry_id, grant_id }) => ({
    entry_id,
    grant_id,
    org_id: orgId,
    mailing_id: mailingId,
    last_attempt_at: now(),
  }));
  await inTransaction(db, async (tx) => {
    if (await insertGrantEmails(tx, rows)) await jobs.enqueue(tx, sendGrantEmail, { orgId, mailingId });
  });
}

function homeKey({ entry_id, grant_id }: HelpedHome): string {
  return `${entry_id} ${grant_id}`;
}

/** `helpedSince` is the time when both the gift and the grant's payment were recorded. */
function listHelpedHomes({ gifts, grants }: OrgAllocation): (HelpedHome & { readonly helpedSince: number })[] {
  return [...gifts.values()].flatMap(({ entryId, postedAt, share }) =>
    share.parts.flatMap(({ grantId }) => {
      const home = grants.get(grantId);
      if (!home) return [];
      const helpedSince = Math.max(postedAt.getTime(), home.recordedAt.getTime());
      return [{ entry_id: entryId, grant_id: home.grant.id, helpedSince }];
    }),
  );
}

export type GrantEmailDeps = EmailDeps & Pick<AppDeps, 'sandbox' | 'mailbox' | 'now'>;

/**
 * Emails a donor about the homes that their gifts helped, with the details that each household currently agrees to show.
 * Skips gifts that were moved to another home, erased donors, and addresses that reject email. Emails about test payments
 * are sent only to the development mailbox.
 */
export const sendGrantEmail = defineJob({
  name: 'send-grant-email',
  payload: z.object({ orgId: z.string(), mailingId: z.string() }),
  async run(deps: GrantEmailDeps, mailing, attempt) {
    const { db, mailer, now } = deps;
    const rows = await listMailingRows(db.kysely, mailing);
    if (rows.length === 0) return;
    const recordOutcome = (status: GrantEmailRow['status'], code: string | null) =>
      recordGrantEmailOutcome(db.kysely, mailing, { status, error_code: code }, now());
    const email = await buildEmail(deps, mailing, rows);
    if (!email) return recordOutcome('skipped', null);
    await sendAndRecord(() => sendToValidAddress(mailer, email), attempt, recordOutcome);
  },
});

function sendToValidAddress(mailer: Mailer, email: Email): Promise<void> {
  if (!isEmail(email.to)) throw new EmailRejectedError('address');
  return mailer.send(email);
}

async function buildEmail(
  deps: GrantEmailDeps,
  { orgId, mailingId }: GrantMailing,
  rows: readonly GrantEmailRow[],
): Promise<Email | undefined> {
  const { db, now, sandbox, mailbox, parent, publicUrl } = deps;
  const org = await findOrg(db, orgId);
  const entryIds = [...new Set(rows.map(({ entry_id }) => entry_id))];
  const allocations = await readGiftAllocations(db, orgId, entryIds);
  const isStillHelped = ({ entry_id, grant_id }: HelpedHome) =>
    allocations.get(entry_id)?.parts.some(({ home }) => home.grantId === grant_id) === true;
  const addresses = await findDonorAddresses(db.kysely, orgId, entryIds);
  const validIds = [...addresses.keys()].filter((id) => rows.some((row) => row.entry_id === id && isStillHelped(row)));
  const newestEntryId = validIds.at(-1);
  const source =
    newestEntryId === undefined ? undefined : await findReceiptSourceByEntry(db.kysely, orgId, newestEntryId);
  if (!org || !source?.email) return undefined;
  if (getTestPaymentKind(sandbox, source.livemode ?? undefined) && !mailbox) return undefined;
  const language = getReceiptLanguage(source.document);
  const gift = combineGifts(validIds.flatMap((id) => allocations.get(id) ?? []));
  return composeHomeEmail({
    language,
    email: source.email,
    name: source.name,
    orgName: org.name,
    place: org.row.place,
    gift: toDonorAllocation(gift, dayOf(now(), org.timeZone)),
    link: publicUrl() + localizeAddress(giftHomesPath(orgId, source.key), language),
    parent,
    publicUrl: publicUrl(),
    messageKey: `home-${mailingId}`,
  });
}

type HomeEmail = Envelope & {
  readonly name: string | null;
  readonly orgName: OrgFacts['name'];
  readonly place: string;
  readonly gift: DonorAllocation<{ readonly name: string }>;
  readonly link: string;
};

export function composeHomeEmail(details: HomeEmail): Email {
  const { language, name, orgName: org, place, gift, link } = details;
  const options = { locale: language };
  const sentences = giftSentences(gift, place, options).join(' ');
  const pounds = carbonSentences(gift, options).join(' ');
  return composeEmail(details, {
    subject: m.emailHomeSubject({ org }, options),
    preheader: sentences,
    name,
    title: m.emailHomeTitle({}, options),
    parts: [
      paragraph(sentences),
      ...(pounds === '' ? [] : [paragraph(pounds)]),
      button(m.emailHomeSee({}, options), link),
      note(m.emailHomeOnce({}, options)),
    ],
  });
}
