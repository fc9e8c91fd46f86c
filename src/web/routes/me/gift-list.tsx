import { pagePath } from '#contract/pages.ts';
import type { Gift, UserOffsetter } from '#contract/schemas/users.ts';
import { itemTitle } from '#domain/cart.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { dayText } from '#domain/days.ts';
import { allGiftsSentence, effectSentence, typicalGrantCents } from '#domain/gift-effect.ts';
import {
  formatAmount,
  formatCents,
  formatDollars,
  formatPounds,
  formatWhole,
  toChargedCents,
  toPounds,
  toTenThousandths,
} from '#domain/money.ts';
import { isStoryShown } from '#domain/profile.ts';
import { cardStatusText, tributeText } from '#domain/tribute.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ItemList } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { formatList } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

type GiftListProps = { gifts: readonly Gift[]; offsetters: readonly UserOffsetter[] };

/** A donor's gifts to all organizations, newest first (decisions §4). */
export function GiftList({ gifts, offsetters }: GiftListProps) {
  return (
    <ItemList>
      {gifts.map((gift) => (
        <GiftRow
          key={`${gift.checkoutid}.${gift.receiptNumber}.${gift.createdTimestamp}`}
          gift={gift}
          link={getStoryLink(gift, offsetters)}
        />
      ))}
    </ItemList>
  );
}

function GiftRow({ gift, link }: { gift: Gift; link: ReturnType<typeof getStoryLink> }) {
  const { amount, coveredFee, carbon, receiptNumber, receiptURL, recurring, tribute } = gift;
  const { orgName, createdTimestamp, givenOn, notes, receiptkey: receiptKey } = gift;
  const status = describeGiftStatus(gift);
  // Returned money has no effect on homes.
  const isFullyPaid = gift.paymentStatus === 'paid' && gift.returned === 0 && gift.pendingReturn === 0;
  const typicalGrant = typicalGrantCents(gift.typicalGrant);
  const giftCents = Math.round((amount - coveredFee) * 100);
  const effect = isFullyPaid
    ? effectSentence({ carbon: toTenThousandths(carbon), amount: giftCents, typicalGrant })
    : '';
  // Screen readers list links without their context.
  const giftSuffix = (
    <VisuallyHidden>
      : {formatGiftTitle(gift)}, {dayText(givenOn)}
    </VisuallyHidden>
  );
  return (
    <li className={styles.gift}>
      <span className={styles.icon}>
        <Icon name={gift.cart.find(({ type }) => type === 'offset')?.offsetType ?? 'gift'} />
      </span>
      <div>
        <h3 className={styles.details}>{formatGiftTitle(gift)}</h3>
        <ul className={styles.facts}>
          <li>
            <time dateTime={createdTimestamp}>{dayText(givenOn)}</time>
          </li>
          <li>{orgName}</li>
          {carbon > 0 && <li>{m.cartPounds({ pounds: formatPounds(carbon) })}</li>}
          {recurring && <li>{m.givingRecurring()}</li>}
          {coveredFee > 0 && <li>{m.givingWithFee({ fee: formatDollars(coveredFee) })}</li>}
          {tribute && <li>{tributeText(tribute)}</li>}
          {receiptNumber !== null && receiptURL === null && (
            <li>{m.givingReceipt({ number: String(receiptNumber) })}</li>
          )}
        </ul>
        {effect !== '' && <p className={styles.note}>{effect}</p>}
        {tribute?.card && <p className={styles.note}>{cardStatusText(tribute.card)}</p>}
        {notes.map(({ date, text }) => (
          <p key={`${date} ${text}`} className={styles.note}>
            {dayText(date)}: {text}
          </p>
        ))}
        <ul className={styles.links}>
          {receiptNumber !== null && receiptURL !== null && (
            <li>
              <a href={receiptURL}>{m.givingReceiptPdf({ number: String(receiptNumber) })}</a>
            </li>
          )}
          {receiptKey !== null && (
            <li>
              <Link to={pagePath('gift-homes-page', { orgid: gift.orgid, receiptkey: receiptKey })}>
                {m.giftHomesTitle()}
                {giftSuffix}
              </Link>
            </li>
          )}
          {link && (
            <li>
              <Link to={link.to}>
                {link.label}
                {giftSuffix}
              </Link>
            </li>
          )}
        </ul>
      </div>
      <div className={styles.sum}>
        <p className={styles.amount}>{formatCents(toChargedCents(amount))}</p>
        <StatusMark tone={status === STATUS_LABELS.paid ? 'done' : 'plain'}>{status}</StatusMark>
      </div>
    </li>
  );
}

/** `amount` in cents, `carbon` in ten-thousandths of a pound. */
type GivingTotals = {
  readonly gifts: number;
  readonly amount: number;
  readonly carbon: number;
  /** Comparison with a typical grant, if all gifts went to one organization. */
  readonly grantComparison: string;
};

/** Counts only paid gifts, minus refunds. A pending bank payment may still fail. */
export function calculateGivingTotals(gifts: readonly Gift[]): GivingTotals {
  const paidGifts = gifts.filter(({ paymentStatus }) => paymentStatus === 'paid');
  const sum = (getAmount: (gift: Gift) => number) => paidGifts.reduce((total, gift) => total + getAmount(gift), 0);
  // Covered card fees don't fund grants.
  const grantCents = sum((gift) =>
    Math.round((gift.amount - gift.coveredFee - gift.returned - gift.pendingReturn) * 100),
  );
  const typicalGrant = typicalGrantCents(paidGifts[0]?.typicalGrant ?? null);
  return {
    gifts: paidGifts.length,
    amount: sum(({ amount, returned, pendingReturn }) => Math.round((amount - returned - pendingReturn) * 100)),
    carbon: sum(({ carbon }) => toTenThousandths(carbon)),
    grantComparison:
      new Set(paidGifts.map(({ orgid: orgId }) => orgId)).size === 1 ? allGiftsSentence(grantCents, typicalGrant) : '',
  };
}

/** "You’ve given $125 in 3 gifts and offset 10,000 lbs of carbon.", with the comparison; empty without paid gifts. */
export function describeTotals({ gifts, amount, carbon, grantComparison }: GivingTotals): string {
  if (gifts === 0) return '';
  const numbers = { count: gifts, amount: formatAmount(amount) };
  const total =
    carbon === 0 ? m.givingTotal(numbers) : m.givingTotalOffset({ ...numbers, pounds: formatWhole(toPounds(carbon)) });
  return [total, grantComparison].filter(Boolean).join(' ');
}

/** "Air travel" or "Donation and Home energy use"; a check has no cart. */
export function formatGiftTitle({ cart }: Pick<Gift, 'cart'>): string {
  const titles = [...new Set(cart.map(({ type, offsetType }) => itemTitle(type, offsetType)))];
  return titles.length === 0 ? m.givingByCheck() : formatList(titles);
}

type Status = Pick<Gift, 'paymentStatus' | 'amount' | 'returned' | 'pendingReturn'>;

/** "Paid", or the returned part: "Partly refunded: $5.00 of $20.00". */
export function describeGiftStatus({ paymentStatus, amount, returned, pendingReturn }: Status): string {
  const total = formatDollars(amount);
  if (paymentStatus === 'disputed') return returned === amount ? m.givingTakenBack() : STATUS_LABELS.disputed;
  if (pendingReturn > 0) {
    return pendingReturn === amount
      ? m.givingRefunding()
      : m.givingRefundingPart({ part: formatDollars(pendingReturn), total });
  }
  return returned > 0 && returned < amount
    ? m.givingRefundedPart({ part: formatDollars(returned), total })
    : STATUS_LABELS[paymentStatus];
}

const STATUS_LABELS: Readonly<Record<PaymentStatus, string>> = {
  unpaid: m.givingUnpaid(),
  processing: m.giftProcessing(),
  paid: m.giftPaid(),
  failed: m.giftNotCharged(),
  expired: m.giftNotCharged(),
  refunded: m.giftRefunded(),
  disputed: m.giftDisputed(),
};

export function getStoryStatusLabel(story: Pick<UserOffsetter, 'status' | 'shownAs'>): string {
  if (story.status === 'hidden') return m.storyStatusHidden();
  if (isStoryShown(story)) return m.storyStatusPublished();
  return story.shownAs === 'none' ? m.storyStatusNotShown() : m.storyStatusReview();
}

/** A link to the gift's story form while it is open, otherwise to the donor's story at that organization. */
export function getStoryLink(
  { orgid: orgId, checkoutURL }: Pick<Gift, 'orgid' | 'checkoutURL'>,
  offsetters: readonly UserOffsetter[],
): { readonly label: string; readonly to: string } | undefined {
  if (checkoutURL !== null) return { label: m.tellYourStory(), to: checkoutURL };
  const story = offsetters.find((offsetter) => offsetter.orgid === orgId && isStoryShown(offsetter));
  return story && { label: m.seeYourStory(), to: story.profileURL };
}
