import { type InLanguage, LANGUAGES, type Language, m } from '#messages';
import { type CoveredFee, NO_COVERED_FEE } from './card-fee.ts';
import { type CartItem, cartCarbon, cartTotal, itemDescription, recurringSuffix } from './cart.ts';
import { type Day, dayText } from './days.ts';
import { offsetTitle } from './emissions.ts';
import { effectSentence } from './gift-effect.ts';
import { type Cents, formatCents, formatWhole, toChargedCents } from './money.ts';
import { type Tribute, tributePrefix } from './tribute.ts';
import { describeRenewal } from './validate-cart.ts';

/** The legal entity that receives the gift. */
export type Donee = {
  readonly name: string;
  readonly ein: string;
  readonly address: string;
  readonly contactEmail: string;
};

/** A receipt's printed content. Emails, PDFs, and pages are generated only from it. */
export type ReceiptDocument = {
  readonly number: number;
  readonly donee: Donee;
  /** The name of the organization, a program of the donee. */
  readonly orgName: string;
  /** Null if unknown or erased. */
  readonly donor: string | null;
  /** Both days are in the organization's time zone. */
  readonly givenOn: Day;
  readonly issuedOn: Day;
  readonly lines: readonly ReceiptLine[];
  readonly amount: Cents;
  readonly currency: string;
  /** Goods-and-services statement for the IRS, in the default language. */
  readonly statement: string;
  /** Set if the rest of the receipt is in another language: the language and the translated statement. */
  readonly translation?: { readonly language: Language; readonly statement: string };
  /** The next charge, its amount, and how to stop it; empty for a one-time gift. */
  readonly renewal: readonly string[];
  /** Set for test payments, so the receipt can't be used for taxes. */
  readonly testPaymentNotice: string | null;
  /** Set if this replaces a receipt that is missing from the books but that the donor may have. */
  readonly reissued?: true;
  /** In honor or in memory of a person. */
  readonly tribute?: Tribute;
  /** A sentence about the effect of the whole gift. */
  readonly effect?: string;
};

export type ReceiptLine = { readonly text: string; readonly amount: Cents };

/** A later event of a gift, such as a refund. */
export type ReceiptNote = { readonly date: Day; readonly text: string };

/** The notes of a receipt, and the remaining amount of its gift. */
export type ReceiptHistory = { readonly notes: readonly ReceiptNote[]; readonly remaining: Cents };

/** Notes only describe events; the receipt's remaining amount is computed from all of them. */
export const returnNotes = {
  refunded: m.receiptRefunded,
  refundFailed: m.receiptRefundFailed,
  chargedBack: m.receiptTaken,
  chargebackReversed: m.receiptTakenReturned,
  checkBounced: m.receiptBounced,
  checkMistaken: m.receiptMistaken,
} as const;

/** A check, or the cart of a card gift. */
export type PaymentMethod =
  | { readonly kind: 'check'; readonly checkNumber: string | null }
  | { readonly kind: 'card'; readonly items: readonly CartItem[]; readonly coveredFee?: CoveredFee };

type CardPayment = Extract<PaymentMethod, { kind: 'card' }>;

export type ReceiptInput = Omit<
  ReceiptDocument,
  'lines' | 'statement' | 'translation' | 'renewal' | 'testPaymentNotice' | 'reissued' | 'tribute' | 'effect'
> & {
  /** The donor's language; the default language if omitted. */
  readonly language?: Language | undefined;
  readonly paymentMethod: PaymentMethod;
  /** Next charge of a recurring gift, if the provider reported it. */
  readonly nextChargeOn: Day | undefined;
  readonly testPayment: TestPayment | undefined;
  readonly reissued?: boolean | undefined;
  readonly tribute?: Tribute | undefined;
  /** The typical grant at the time of issue, if the organization had set one. */
  readonly typicalGrant?: Cents | null;
};

/** A payment that moved no money: in the sandbox, or with the provider's test key. */
export type TestPayment = 'sandbox' | 'test';

const TEST_NOTICES = { sandbox: m.receiptSandbox, test: m.receiptTest } as const satisfies Readonly<
  Record<TestPayment, unknown>
>;

export function composeReceipt({
  language,
  paymentMethod,
  nextChargeOn,
  testPayment,
  reissued,
  tribute,
  typicalGrant = null,
  ...documentFields
}: ReceiptInput): ReceiptDocument {
  const [defaultLanguage] = LANGUAGES;
  const options = { locale: language ?? defaultLanguage };
  const effect = formatEffect(paymentMethod, { giftCents: documentFields.amount, typicalGrant }, options);
  return {
    ...documentFields,
    lines:
      paymentMethod.kind === 'check'
        ? [checkLine(paymentMethod, documentFields.amount, options)]
        : cartLines(paymentMethod, documentFields.amount, options),
    statement: m.receiptNoGoods({}, { locale: defaultLanguage }),
    ...(options.locale === defaultLanguage
      ? {}
      : { translation: { language: options.locale, statement: m.receiptNoGoods({}, options) } }),
    renewal:
      paymentMethod.kind === 'check'
        ? []
        : renewalSentences(paymentMethod, nextChargeOn, documentFields.amount, options),
    testPaymentNotice: testPayment === undefined ? null : TEST_NOTICES[testPayment]({}, options),
    ...(reissued ? { reissued } : {}),
    ...(tribute ? { tribute: { kind: tribute.kind, name: tribute.name } } : {}),
    ...(effect === '' ? {} : { effect }),
  };
}

/** Language of a printed receipt. */
export function getReceiptLanguage({ translation }: Pick<ReceiptDocument, 'translation'>): Language {
  return LANGUAGES.find((language) => language === translation?.language) ?? LANGUAGES[0];
}

/** The amount of the whole gift. */
type GiftAmount = { readonly giftCents: Cents; readonly typicalGrant: Cents | null };

function formatEffect(
  paymentMethod: PaymentMethod,
  { giftCents, typicalGrant }: GiftAmount,
  options: InLanguage,
): string {
  if (paymentMethod.kind === 'check') return effectSentence({ carbon: 0, amount: giftCents, typicalGrant }, options);
  const amount = giftCents - (paymentMethod.coveredFee ?? NO_COVERED_FEE).initial;
  // The items' carbon no longer applies if the recurring amount was changed.
  const carbon = cartTotal(paymentMethod.items) === amount ? cartCarbon(paymentMethod.items) : 0;
  return effectSentence({ carbon, amount, typicalGrant }, options);
}

type CheckPayment = Extract<PaymentMethod, { kind: 'check' }>;

function checkLine({ checkNumber: number }: CheckPayment, amount: Cents, options: InLanguage): ReceiptLine {
  return {
    text: number === null ? m.receiptByCheck({}, options) : m.receiptByCheckNumber({ number }, options),
    amount,
  };
}

/** Cart items, or a single line if the donor changed the recurring amount, which then differs from the items. */
function cartLines(
  { items, coveredFee = NO_COVERED_FEE }: CardPayment,
  total: Cents,
  options: InLanguage,
): ReceiptLine[] {
  const fee = coveredFee.initial;
  const amount = total - fee;
  const feeLines = fee === 0 ? [] : [{ text: m.giftCardFee({}, options), amount: fee }];
  if (cartTotal(items) === amount) return [...items.map((item) => toReceiptLine(item, options)), ...feeLines];
  const [item] = items;
  const suffix = recurringSuffix(item?.recurring ?? 'no', item?.recurringInterval, options);
  return [{ text: `${m.itemDonation({}, options)} ${suffix}`.trim(), amount }, ...feeLines];
}

/** "Air travel – 3,864 lbs of carbon offset", "Donation to carbon offset program (recurring: monthly)". */
function toReceiptLine(item: CartItem, options: InLanguage): ReceiptLine {
  const { type, offsetType, title, carbon, cost, recurring, recurringInterval } = item;
  const pounds = formatWhole(carbon);
  const name =
    type === 'offset'
      ? m.receiptOffset({ title: offsetType ? offsetTitle(offsetType, options) : title, pounds }, options)
      : itemDescription(item, options);
  return {
    text: `${name} ${recurringSuffix(recurring, recurringInterval, options)}`.trim(),
    amount: toChargedCents(cost),
  };
}

function renewalSentences(
  { items, coveredFee = NO_COVERED_FEE }: CardPayment,
  nextChargeOn: Day | undefined,
  amount: Cents,
  options: InLanguage,
): string[] {
  const renewal = describeRenewal(items, options);
  if (!renewal) return [];
  const isUnchanged = cartTotal(items) + coveredFee.initial === amount;
  const renewalAmount = isUnchanged ? renewal.amount + coveredFee.renewal : amount;
  return [
    m.receiptChargedAgain({ amount: formatCents(renewalAmount), interval: renewal.intervalText }, options),
    // The provider may take a few hours to charge.
    ...(nextChargeOn ? [m.giftNextCharge({ day: dayText(nextChargeOn, options) }, options)] : []),
    m.receiptHowToStop({}, options),
  ];
}

type SummaryRow = readonly [name: string, value: string];

/** Header of a receipt, with later notes below the amount. */
export function buildReceiptSummary(
  document: ReceiptDocument,
  { notes, remaining }: ReceiptHistory,
): readonly SummaryRow[] {
  const { number, givenOn, issuedOn, donee, orgName, amount, tribute } = document;
  const options = { locale: getReceiptLanguage(document) };
  const { name, ein } = donee;
  return [
    [m.receiptNumber({}, options), String(number)],
    [m.receiptGivenOn({}, options), dayText(givenOn, options)],
    ...(issuedOn === givenOn ? [] : ([[m.receiptIssued({}, options), dayText(issuedOn, options)]] as const)),
    [m.receiptGivenTo({}, options), m.receiptProgram({ name, ein, program: orgName }, options)],
    ...(tribute ? ([[tributePrefix(tribute.kind, options), tribute.name]] as const) : []),
    [m.receiptAmount({}, options), formatCents(amount)],
    ...notes.map(({ date, text }) => [dayText(date, options), text] as const),
    ...(notes.length === 0 ? [] : ([[m.receiptGoodFor({}, options), formatCents(remaining)]] as const)),
  ];
}

/** The sentence about the gift's effect; empty if any part was returned. */
export function receiptEffect({ effect = '', amount }: ReceiptDocument, { remaining }: ReceiptHistory): string {
  return remaining < amount ? '' : effect;
}

/** Closing sentences of a receipt. */
export function receiptStatements(document: ReceiptDocument): readonly string[] {
  const { testPaymentNotice, statement, translation, reissued } = document;
  const options = { locale: getReceiptLanguage(document) };
  return [
    ...(testPaymentNotice === null ? [] : [testPaymentNotice]),
    translation?.statement ?? statement,
    ...(reissued ? [m.receiptReissued({}, options)] : []),
  ];
}

/** The official statement for the IRS, labeled as English, to print along with its translation. */
export function officialStatement(document: ReceiptDocument): readonly string[] {
  const { statement, translation } = document;
  return translation === undefined ? [] : [m.receiptOfficial({ statement }, { locale: getReceiptLanguage(document) })];
}

/** Translates a receipt's statement and test notice for a list in another language. */
export function translateStatements({ statement, testPaymentNotice }: ReceiptDocument, options: InLanguage) {
  const locales = LANGUAGES.map((locale) => ({ locale }));
  const translate = (text: string, ...messages: readonly (typeof m.receiptNoGoods)[]) =>
    messages.find((message) => locales.some((locale) => message({}, locale) === text))?.({}, options) ?? text;
  return {
    statement: translate(statement, m.receiptNoGoods),
    testNotice: testPaymentNotice === null ? null : translate(testPaymentNotice, ...Object.values(TEST_NOTICES)),
  };
}
