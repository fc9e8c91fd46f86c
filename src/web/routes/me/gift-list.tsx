import type { Gift, OwnOffsetter } from '#contract/schemas/users.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { chargeOf, formatCents, formatPounds, formatWhole, poundsOf, tenThousandthsOf } from '#domain/money.ts';
import { isStoryShown } from '#domain/profile.ts';
import { Link } from '#web/navigation/link.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { dayText, listed } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

type GiftListProps = { gifts: readonly Gift[]; offsetters: readonly OwnOffsetter[] };

/** What somebody gave, newest first, in all organisations (decisions §4). */
export function GiftList({ gifts, offsetters }: GiftListProps) {
  return (
    <ul className={styles.giftListGifts}>
      {gifts.map((gift) => (
        <GiftRow
          key={`${gift.checkoutid}.${gift.receiptNumber}.${gift.createdTimestamp}`}
          gift={gift}
          way={wayOn(gift, offsetters)}
        />
      ))}
    </ul>
  );
}

function GiftRow({ gift, way }: { gift: Gift; way: ReturnType<typeof wayOn> }) {
  const { amount, carbon, paymentStatus, receiptNumber, recurring, orgName, createdTimestamp } = gift;
  return (
    <li className={styles.gift}>
      <span className={styles.icon}>
        <Icon name={iconOf(gift)} />
      </span>
      <div className={styles.words}>
        <h3 className={styles.what}>{whatOf(gift)}</h3>
        <ul className={styles.facts}>
          <li>
            <time dateTime={createdTimestamp}>{dayText(createdTimestamp)}</time>
          </li>
          <li>{orgName}</li>
          {carbon > 0 && <li>{formatPounds(carbon)} lbs carbon</li>}
          {recurring && <li>Recurring</li>}
          {receiptNumber !== null && <li>Receipt no. {receiptNumber}</li>}
        </ul>
        {way && (
          <p className={styles.way}>
            <Link to={way.to}>
              {way.label}
              <VisuallyHidden>
                : {whatOf(gift)}, {dayText(createdTimestamp)}
              </VisuallyHidden>
            </Link>
          </p>
        )}
      </div>
      <div className={styles.sum}>
        <p className={styles.amount}>{formatCents(chargeOf(amount))}</p>
        <p className={paymentStatus === 'paid' ? styles.paid : styles.status}>{statusWord(paymentStatus)}</p>
      </div>
    </li>
  );
}

function iconOf({ cart }: Gift): IconName {
  const offset = cart.find(({ type }) => type === 'offset')?.offsetType;
  if (offset === undefined) return 'gift';
  if (offset === 'air') return 'plane';
  return offset === 'car' ? 'car' : 'home';
}

/** What somebody gave in all: gifts that came and stayed, in cents and in ten-thousandths of a pound. */
export type GivingTotals = { readonly gifts: number; readonly amount: number; readonly carbon: number };

/** Only what is paid counts: a bank debit under way may fail, and a refunded gift has gone back. */
export function givingTotals(gifts: readonly Gift[]): GivingTotals {
  const counted = gifts.filter(({ paymentStatus }) => paymentStatus === 'paid');
  const sum = (each: (gift: Gift) => number) => counted.reduce((total, gift) => total + each(gift), 0);
  return {
    gifts: counted.length,
    amount: sum(({ amount }) => chargeOf(amount)),
    carbon: sum(({ carbon }) => tenThousandthsOf(carbon)),
  };
}

/** "You have given $125.00 in 3 gifts, and offset 10,000 lbs of carbon." Empty where nothing counts yet. */
export function totalsSentence({ gifts, amount, carbon }: GivingTotals): string {
  if (gifts === 0) return '';
  const given = `You have given ${formatCents(amount)} in ${gifts === 1 ? 'one gift' : `${gifts} gifts`}`;
  return carbon > 0 ? `${given}, and offset ${formatWhole(poundsOf(carbon))} lbs of carbon.` : `${given}.`;
}

/** What a gift was made of: "Air travel", "Donation and Home energy use"; a check has no cart. */
export function whatOf({ cart }: Pick<Gift, 'cart'>): string {
  const titles = [...new Set(cart.map(({ title }) => title))];
  return titles.length === 0 ? 'Gift by check' : listed(titles);
}

const STATUSES: Readonly<Record<PaymentStatus, string>> = {
  unpaid: 'Not paid',
  processing: 'Bank debit under way',
  paid: 'Paid',
  failed: 'Not charged',
  expired: 'Not charged',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

export function statusWord(status: PaymentStatus): string {
  return STATUSES[status];
}

/** How an own story stands: whether everybody sees it, or why not. */
export function storyStanding(own: Pick<OwnOffsetter, 'status' | 'shownAs'>): string {
  if (own.status === 'hidden') return 'Taken down';
  if (isStoryShown(own)) return 'Published';
  return own.shownAs === 'none' ? 'Not shown' : 'Waits for an editor';
}

/** Where a gift leads on: to the form of its story while that can be told, else to the story of the organisation. */
export function wayOn(
  { orgid, checkoutURL }: Pick<Gift, 'orgid' | 'checkoutURL'>,
  offsetters: readonly OwnOffsetter[],
): { readonly label: string; readonly to: string } | undefined {
  if (checkoutURL !== null) return { label: 'Tell your story', to: checkoutURL };
  const story = offsetters.find((own) => own.orgid === orgid && isStoryShown(own));
  return story && { label: 'See your story', to: story.profileURL };
}
