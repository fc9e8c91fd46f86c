import { isEmail } from '#domain/profile.ts';
import type { AppDeps } from '#server/deps.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { receiptLink } from './receipt-link.ts';
import { receiptMail } from './receipt-mail.ts';
import { noteMailed, receiptWithCart } from './receipts.store.ts';

export type MailReceiptDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl' | 'sandbox'> & { readonly mailer: Mailer };

/**
 * Mails a receipt, the same one however often it is asked for.
 * @throws when the mail was not taken: the job tries again
 */
export async function mailReceipt(
  deps: MailReceiptDeps,
  { orgId, receiptNumber, again }: JobData['mail-receipt'],
): Promise<void> {
  const receipt = await receiptWithCart(deps.db.kysely, orgId, receiptNumber);
  // Whoever has deleted the account is not written to any more.
  if (!receipt?.email || !isEmail(receipt.email)) return;
  await deps.mailer.send(await mailOf(deps, { ...receipt, email: receipt.email }, again));
  await noteMailed(deps.db.kysely, orgId, receiptNumber);
}

async function mailOf(
  { db, parent, publicUrl, sandbox }: MailReceiptDeps,
  receipt: NonNullable<Awaited<ReturnType<typeof receiptWithCart>>> & { email: string },
  again: string | undefined,
) {
  const { org_id: orgId, checkout_id: checkoutId, key } = receipt;
  const org = await findOrg(db, orgId);
  return receiptMail({
    orgId,
    orgName: org?.name ?? parent.name,
    number: receipt.number,
    email: receipt.email,
    name: receipt.name ?? undefined,
    amount: receipt.amount_cents,
    issuedAt: receipt.issued_at,
    nextChargeAt: receipt.next_charge_at ?? undefined,
    items: receipt.cart ?? [],
    link: checkoutId === null ? undefined : receiptLink(publicUrl(), { orgId, checkoutId, key }),
    parent,
    publicUrl: publicUrl(),
    sandbox,
    again,
  });
}
