import { type InLanguage, LANGUAGES, type Language, m } from '#messages';
import { type CoveredFee, NOT_COVERED } from './card-fee.ts';
import { type CartItem, cartCarbon, cartTotal, itemDescription, recurringSuffix } from './cart.ts';
import { type Day, dayText } from './days.ts';
import { offsetTitle } from './emissions.ts';
import { effectSentence } from './gift-effect.ts';
import { type Cents, chargeOf, formatCents, formatWhole } from './money.ts';
import { type Tribute, tributeWords } from './tribute.ts';
import { cartRenewal } from './whole-cart.ts';

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
  /** Whether goods or services were given, as tax offices read it: in the first language. */
  readonly statement: string;
  /** Set where all else is printed in another language: which, and the statement in it. */
  readonly translation?: { readonly language: Language; readonly statement: string };
  /** What will be charged again, when next, and how to stop it; empty for a one-time gift. */
  readonly renewal: readonly string[];
  /** Set where no money moved, so that it does not pass for a tax receipt. */
  readonly mark: string | null;
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
  refunded: m.receiptRefunded,
  refundFailed: m.receiptRefundFailed,
  takenByBank: m.receiptTaken,
  returnedByBank: m.receiptTakenReturned,
  checkBounced: m.receiptBounced,
  checkMistaken: m.receiptMistaken,
} as const;

/** A check, or the cart of a gift by card. */
export type GivenBy =
  | { readonly kind: 'check'; readonly checkNumber: string | null }
  | { readonly kind: 'card'; readonly items: readonly CartItem[]; readonly coveredFee?: CoveredFee };

type ByCard = Extract<GivenBy, { kind: 'card' }>;

export type ReceiptFacts = Omit<
  ReceiptDocument,
  'lines' | 'statement' | 'translation' | 'renewal' | 'mark' | 'reissued' | 'tribute' | 'effect'
> & {
  /** Of the donor; by default the first one. */
  readonly language?: Language | undefined;
  readonly given: GivenBy;
  /** When the provider will charge a recurring gift next, if it said so. */
  readonly nextChargeOn: Day | undefined;
  readonly test: TestPayment | undefined;
  readonly reissued?: boolean | undefined;
  readonly tribute?: Tribute | undefined;
  /** What a typical grant paid when the receipt was issued, if the organization said so. */
  readonly typicalGrant?: Cents | null;
};

/** Where no money moved: in the sandbox, or with the provider's test key. */
export type TestPayment = 'sandbox' | 'test';

const MARKS = { sandbox: m.receiptSandbox, test: m.receiptTest } as const satisfies Readonly<
  Record<TestPayment, unknown>
>;

export function composeReceipt({
  language,
  given,
  nextChargeOn,
  test,
  reissued,
  tribute,
  typicalGrant = null,
  ...facts
}: ReceiptFacts): ReceiptDocument {
  const [first] = LANGUAGES;
  const options = { locale: language ?? first };
  const effect = effectOf(given, { whole: facts.amount, typicalGrant }, options);
  return {
    ...facts,
    lines: given.kind === 'check' ? [checkLine(given, facts.amount, options)] : cartLines(given, facts.amount, options),
    statement: m.receiptNoGoods({}, { locale: first }),
    ...(options.locale === first
      ? {}
      : { translation: { language: options.locale, statement: m.receiptNoGoods({}, options) } }),
    renewal: given.kind === 'check' ? [] : renewalSentences(given, nextChargeOn, facts.amount, options),
    mark: test === undefined ? null : MARKS[test]({}, options),
    ...(reissued ? { reissued } : {}),
    ...(tribute ? { tribute: { kind: tribute.kind, name: tribute.name } } : {}),
    ...(effect === '' ? {} : { effect }),
  };
}

/** The language that a receipt is printed in. */
export function receiptLanguage({ translation }: Pick<ReceiptDocument, 'translation'>): Language {
  return LANGUAGES.find((language) => language === translation?.language) ?? LANGUAGES[0];
}

/** The carbon is that of the items, which a recurring gift of a changed amount no longer has. */
type Whole = { readonly whole: Cents; readonly typicalGrant: Cents | null };

function effectOf(given: GivenBy, { whole, typicalGrant }: Whole, options: InLanguage): string {
  if (given.kind === 'check') return effectSentence({ carbon: 0, amount: whole, typicalGrant }, options);
  const amount = whole - (given.coveredFee ?? NOT_COVERED).first;
  const carbon = cartTotal(given.items) === amount ? cartCarbon(given.items) : 0;
  return effectSentence({ carbon, amount, typicalGrant }, options);
}

type ByCheck = Extract<GivenBy, { kind: 'check' }>;

function checkLine({ checkNumber: number }: ByCheck, amount: Cents, options: InLanguage): ReceiptLine {
  return {
    text: number === null ? m.receiptByCheck({}, options) : m.receiptByCheckNumber({ number }, options),
    amount,
  };
}

/** One line where the donor has changed the amount of a recurring gift, so that it is no longer that of the items. */
function cartLines({ items, coveredFee = NOT_COVERED }: ByCard, whole: Cents, options: InLanguage): ReceiptLine[] {
  const fee = coveredFee.first;
  const amount = whole - fee;
  const added = fee === 0 ? [] : [{ text: m.giftCardFee({}, options), amount: fee }];
  if (cartTotal(items) === amount) return [...items.map((item) => lineOf(item, options)), ...added];
  const [item] = items;
  const suffix = recurringSuffix(item?.recurring ?? 'no', item?.recurringInterval, options);
  return [{ text: `${m.itemDonation({}, options)} ${suffix}`.trim(), amount }, ...added];
}

/** "Air travel – 3,864 lbs of carbon offset", "Donation to carbon offset program (recurring: monthly)". */
function lineOf(item: CartItem, options: InLanguage): ReceiptLine {
  const { type, offsetType, title, carbon, cost, recurring, recurringInterval } = item;
  const pounds = formatWhole(carbon);
  const name =
    type === 'offset'
      ? m.receiptOffset({ title: offsetType ? offsetTitle(offsetType, options) : title, pounds }, options)
      : itemDescription(item, options);
  return { text: `${name} ${recurringSuffix(recurring, recurringInterval, options)}`.trim(), amount: chargeOf(cost) };
}

function renewalSentences(
  { items, coveredFee = NOT_COVERED }: ByCard,
  nextChargeOn: Day | undefined,
  amount: Cents,
  options: InLanguage,
): string[] {
  const renewal = cartRenewal(items, options);
  if (!renewal) return [];
  const isAsBegun = cartTotal(items) + coveredFee.first === amount;
  const again = isAsBegun ? renewal.amount + coveredFee.renewal : amount;
  return [
    m.receiptChargedAgain({ amount: formatCents(again), every: renewal.every }, options),
    // The provider may take some hours to charge.
    ...(nextChargeOn ? [m.giftNextCharge({ day: dayText(nextChargeOn, options) }, options)] : []),
    m.receiptHowToStop({}, options),
  ];
}

type Row = readonly [name: string, value: string];

/** The top of a receipt, with the notes that came later under the amount. */
export function receiptSummary(document: ReceiptDocument, { notes, kept }: ReceiptHistory): readonly Row[] {
  const { number, givenOn, issuedOn, donee, program, amount, tribute } = document;
  const options = { locale: receiptLanguage(document) };
  const { name, ein } = donee;
  return [
    [m.receiptNumber({}, options), String(number)],
    [m.receiptGivenOn({}, options), dayText(givenOn, options)],
    ...(issuedOn === givenOn ? [] : ([[m.receiptIssued({}, options), dayText(issuedOn, options)]] as const)),
    [m.receiptGivenTo({}, options), m.receiptProgram({ name, ein, program }, options)],
    ...(tribute ? ([[tributeWords(tribute.kind, options), tribute.name]] as const) : []),
    [m.receiptAmount({}, options), formatCents(amount)],
    ...notes.map(({ on, text }) => [dayText(on, options), text] as const),
    ...(notes.length === 0 ? [] : ([[m.receiptGoodFor({}, options), formatCents(kept)]] as const)),
  ];
}

/** What the gift did; empty once a part of it went back. */
export function receiptEffect({ effect = '', amount }: ReceiptDocument, { kept }: ReceiptHistory): string {
  return kept < amount ? '' : effect;
}

/** The sentences at its end. */
export function receiptStatements(document: ReceiptDocument): readonly string[] {
  const { mark, statement, translation, reissued } = document;
  const options = { locale: receiptLanguage(document) };
  return [
    ...(mark === null ? [] : [mark]),
    translation?.statement ?? statement,
    ...(reissued ? [m.receiptReissued({}, options)] : []),
  ];
}

/** The statement as tax offices read it, beside a translated one. */
export function officialStatement({ statement, translation }: ReceiptDocument): readonly string[] {
  return translation === undefined ? [] : [statement];
}

/** The statement of a receipt as a list of receipts in another language says it, and its mark. */
export function retold({ statement, mark }: ReceiptDocument, options: InLanguage) {
  const all = LANGUAGES.map((locale) => ({ locale }));
  const said = (text: string, ...messages: readonly (typeof m.receiptNoGoods)[]) =>
    messages.find((message) => all.some((each) => message({}, each) === text))?.({}, options) ?? text;
  return {
    statement: said(statement, m.receiptNoGoods),
    mark: mark === null ? null : said(mark, ...Object.values(MARKS)),
  };
}
