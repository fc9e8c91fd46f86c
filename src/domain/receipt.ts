import { type CoveredFee, NOT_COVERED } from './card-fee.ts';
import { type CartItem, cartCarbon, cartRenewal, cartTotal, recurringSuffix } from './cart.ts';
import { type Day, dayText } from './days.ts';
import { effectSentence } from './gift-effect.ts';
import { type Cents, chargeOf, formatCents, formatWhole } from './money.ts';
import { mailedName } from './names.ts';
import { lengthOf } from './profile.ts';
import { textFailure } from './safe-text.ts';
import { type Tribute, tributeWords } from './tribute.ts';

/** The legal entity that a gift is given to. */
export type Donee = {
  readonly name: string;
  readonly ein: string;
  readonly address: string;
  readonly contactEmail: string;
};

/** All that is printed on a receipt, kept as it was printed. Mails, PDFs and pages show nothing else. */
export type ReceiptDocument = {
  readonly number: number;
  readonly donee: Donee;
  /** The name of the organization, a program of the donee. */
  readonly program: string;
  /** Absent if unknown, and once erased. */
  readonly donor: string | null;
  /** Both are days in the organization's time zone. */
  readonly givenOn: Day;
  readonly issuedOn: Day;
  readonly lines: readonly ReceiptLine[];
  readonly amount: Cents;
  readonly currency: string;
  /** Whether goods or services were given. */
  readonly statement: string;
  /** What will be charged again, when next, and how to stop it; empty for a one-time gift. */
  readonly renewal: readonly string[];
  /** Set where no money moved, so that it does not pass for a tax receipt. */
  readonly mark: string | null;
  /** Set on a receipt of an earlier version, which kept no document: the day on which it was made again. */
  readonly copiedOn: Day | null;
  /** Set where the books had lost the receipt that the donor may have. */
  readonly reissued?: true;
  /** In whose honor or memory it is. */
  readonly tribute?: Tribute;
  /** What the whole gift did, in a sentence. */
  readonly effect?: string;
};

export type ReceiptLine = { readonly text: string; readonly amount: Cents };

/** What happened to a gift after its receipt was issued, such as a refund. */
export type ReceiptNote = { readonly on: Day; readonly text: string };

/** The notes of a receipt, and how much of its gift was kept: what it is good for. */
export type ReceiptHistory = { readonly notes: readonly ReceiptNote[]; readonly kept: Cents };

/** Notes on receipts say only what happened: what a receipt is good for follows from all of them. */
export const returnNotes = {
  refunded: (cents: Cents) => `Refunded ${formatCents(cents)}.`,
  refundFailed: (cents: Cents) => `The refund of ${formatCents(cents)} failed: the money came back to the fund.`,
  takenByBank: (cents: Cents) => `The bank took back ${formatCents(cents)}.`,
  checkBounced: (cents: Cents) => `The bank returned the check of ${formatCents(cents)} unpaid.`,
  checkMistaken: (cents: Cents) => `Recorded by mistake: ${formatCents(cents)} was not received.`,
} as const;

/** A check, or the cart of a gift by card. */
export type GivenBy =
  | { readonly kind: 'check'; readonly checkNumber: string | null }
  | { readonly kind: 'card'; readonly items: readonly CartItem[]; readonly coveredFee?: CoveredFee };

type ByCard = Extract<GivenBy, { kind: 'card' }>;

export type ReceiptFacts = Omit<
  ReceiptDocument,
  'lines' | 'statement' | 'renewal' | 'mark' | 'copiedOn' | 'reissued' | 'tribute' | 'effect'
> & {
  readonly given: GivenBy;
  /** When the provider will charge a recurring gift next, if it said so. */
  readonly nextChargeOn: Day | undefined;
  readonly test: TestPayment | undefined;
  readonly copiedOn?: Day;
  readonly reissued?: boolean | undefined;
  readonly tribute?: Tribute | undefined;
};

/** Where no money moved: in the sandbox, or with the provider's test key. */
export type TestPayment = 'sandbox' | 'test';

const REISSUED =
  'Issued again from the records of the payment provider. It replaces any receipt with another number for this gift.';
const NO_GOODS = 'No goods or services were provided in exchange for this gift.';
const MARKS: Readonly<Record<TestPayment, string>> = {
  sandbox: 'Sandbox: no money moved. This is not a receipt for tax purposes.',
  test: 'Test payment: no money moved. This is not a receipt for tax purposes.',
};

export function composeReceipt({
  given,
  nextChargeOn,
  test,
  copiedOn,
  reissued,
  tribute,
  ...facts
}: ReceiptFacts): ReceiptDocument {
  const effect = effectOf(given, facts.amount);
  return {
    ...facts,
    lines: given.kind === 'check' ? [checkLine(given, facts.amount)] : cartLines(given, facts.amount),
    statement: NO_GOODS,
    renewal: given.kind === 'check' ? [] : renewalSentences(given, nextChargeOn, facts.amount),
    mark: test === undefined ? null : MARKS[test],
    copiedOn: copiedOn ?? null,
    ...(reissued ? { reissued } : {}),
    ...(tribute ? { tribute: { kind: tribute.kind, name: tribute.name } } : {}),
    ...(effect === '' ? {} : { effect }),
  };
}

/** The carbon is that of the items, which a recurring gift of a changed amount no longer has. */
function effectOf(given: GivenBy, whole: Cents): string {
  if (given.kind === 'check') return effectSentence({ carbon: 0, amount: whole });
  const amount = whole - (given.coveredFee ?? NOT_COVERED).first;
  return effectSentence({ carbon: cartTotal(given.items) === amount ? cartCarbon(given.items) : 0, amount });
}

function checkLine({ checkNumber }: { readonly checkNumber: string | null }, amount: Cents): ReceiptLine {
  return { text: checkNumber === null ? 'Donation by check' : `Donation by check no. ${checkNumber}`, amount };
}

/** One line where the donor has changed the amount of a recurring gift, so that it is no longer that of the items. */
function cartLines({ items, coveredFee = NOT_COVERED }: ByCard, whole: Cents): ReceiptLine[] {
  const fee = coveredFee.first;
  const amount = whole - fee;
  const added = fee === 0 ? [] : [{ text: 'Added to cover the card fee', amount: fee }];
  if (cartTotal(items) === amount) return [...items.map(lineOf), ...added];
  const [item] = items;
  const text = `Donation ${recurringSuffix(item?.recurring ?? 'no', item?.recurringInterval)}`.trim();
  return [{ text, amount }, ...added];
}

/** "Air travel – 3,864 lbs of carbon offset", "Donation to carbon offset program (recurring: monthly)". */
function lineOf({ type, title, description, carbon, cost, recurring, recurringInterval }: CartItem): ReceiptLine {
  const name = type === 'offset' ? `${title} – ${formatWhole(carbon)} lbs of carbon offset` : description;
  return { text: `${name} ${recurringSuffix(recurring, recurringInterval)}`.trim(), amount: chargeOf(cost) };
}

function renewalSentences(
  { items, coveredFee = NOT_COVERED }: ByCard,
  nextChargeOn: Day | undefined,
  amount: Cents,
): string[] {
  const renewal = cartRenewal(items);
  if (!renewal) return [];
  const isAsBegun = cartTotal(items) + coveredFee.first === amount;
  const again = isAsBegun ? renewal.amount + coveredFee.renewal : amount;
  return [
    `You will be charged ${formatCents(again)} ${renewal.every} until you stop it.`,
    // The provider may take some hours to charge.
    ...(nextChargeOn ? [`The next charge will be around ${dayText(nextChargeOn)}.`] : []),
    'You can change or stop it at any time, with the link in the mail of this receipt or from My giving.',
  ];
}

/**
 * Whom the gift is from, as printed. A receipt of an earlier version can have any name; without a harmless one it has none.
 */
export function receiptDonor({ donor }: ReceiptDocument): string {
  const isHarmless = donor !== null && lengthOf(donor) <= 100 && textFailure(donor) === undefined;
  return isHarmless ? donor : mailedName(donor);
}

/** When it was true what a receipt says of a recurring gift, which may have been changed or stopped since. */
export function printedOn({ issuedOn, copiedOn }: ReceiptDocument): Day {
  return copiedOn ?? issuedOn;
}

type Row = readonly [name: string, value: string];

/** The top of a receipt, with the notes that came later under the amount. */
export function receiptSummary(document: ReceiptDocument, { notes, kept }: ReceiptHistory): readonly Row[] {
  const { number, givenOn, issuedOn, donee, program, amount, tribute } = document;
  return [
    ['Receipt number', String(number)],
    ['Date of gift', dayText(givenOn)],
    ...(issuedOn === givenOn ? [] : ([['Issued', dayText(issuedOn)]] as const)),
    ['Given to', `${donee.name} (EIN ${donee.ein}), for its program ${program}`],
    ...(tribute ? ([[tributeWords(tribute.kind), tribute.name]] as const) : []),
    ['Amount', formatCents(amount)],
    ...notes.map(({ on, text }) => [dayText(on), text] as const),
    ...(notes.length === 0 ? [] : ([['Now good for', formatCents(kept)]] as const)),
  ];
}

/** What the gift did; empty once a part of it went back. */
export function receiptEffect({ effect = '', amount }: ReceiptDocument, { kept }: ReceiptHistory): string {
  return kept < amount ? '' : effect;
}

/** The sentences at its end. */
export function receiptStatements({ mark, statement, copiedOn, reissued }: ReceiptDocument): readonly string[] {
  const copied = copiedOn === null ? [] : [`Made again on ${dayText(copiedOn)} from the fund’s records.`];
  return [...(mark === null ? [] : [mark]), statement, ...copied, ...(reissued ? [REISSUED] : [])];
}
