import { type InLanguage, m } from '#messages';
import { Failure, type Words } from './failures.ts';
import { isEmail, lengthOf } from './profile.ts';
import { theName, unprintableFailure } from './safe-text.ts';

/** The person that a gift honors or commemorates. */
export type Tribute = { readonly kind: TributeKind; readonly name: string };

export type TributeKind = 'honor' | 'memory';
export const TRIBUTE_KINDS: readonly TributeKind[] = ['honor', 'memory'];

/** "In honor of", before a separate name. */
export function tributeWords(kind: TributeKind, options?: InLanguage): string {
  return kind === 'honor' ? m.tributeHonor({}, options) : m.tributeMemory({}, options);
}

/** "In honor of Ada Lovelace". */
export function tributeText({ kind, name }: Tribute, options?: InLanguage): string {
  return kind === 'honor' ? m.tributeHonorOf({ name }, options) : m.tributeMemoryOf({ name }, options);
}

/** An email card that announces a gift without its amount. */
export type TributeCard = {
  readonly email: string;
  /** The reader's name; '' if not given. */
  readonly name: string;
  readonly message: string;
  /** The donor's signature; '' to stay anonymous. */
  readonly signed: string;
};

/**
 * unpaid: nothing is sent before the gift is paid. unknown: the books had lost the gift, whose card may have been sent.
 * test: no money moved, so nothing was sent.
 */
export const CARD_STATUSES = ['unpaid', 'sending', 'mailed', 'refused', 'failed', 'unknown', 'test'] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

export const TRIBUTE_NAME_MAXIMUM = 60;
export const CARD_MESSAGE_MAXIMUM = 500;
const MESSAGE_LINES = 12;

/** The typed tribute, which may contain any text. */
export type TypedTribute = {
  readonly kind: TributeKind;
  readonly name: string;
  readonly card?: TypedCard | undefined;
};

export type TypedCard = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly signed?: string | undefined;
};

/**
 * A tribute in its stored form. Its card sends the donor's words to a stranger, and only after the gift is paid.
 * @throws Failure with the field: no-honored-name, no-email, invalid-email, and those of checkedName and checkedMessage
 */
export function parseTribute({ kind, name, card }: TypedTribute): Tribute & { readonly card?: TributeCard } {
  const honoredName = checkName(name, 'tribute.name', theName);
  if (honoredName === '') throw new Failure('no-honored-name', { field: 'tribute.name' });
  return { kind, name: honoredName, ...(card === undefined ? {} : { card: parseCard(card) }) };
}

function parseCard({ email: input, name = '', message = '', signed = '' }: TypedCard): TributeCard {
  const email = input.trim();
  if (email === '') throw new Failure('no-email', { field: 'tribute.card.email' });
  if (!isEmail(email)) throw new Failure('invalid-email', { email: email.slice(0, 100), field: 'tribute.card.email' });
  return {
    email,
    name: checkName(name, 'tribute.card.name', theName),
    message: checkMessage(message, 'tribute.card.message'),
    signed: checkName(signed, 'tribute.card.signed', theSignature),
  };
}

const theSignature: Words = (options) => m.theSignature({}, options);

/** A name on one line. @throws Failure text-unprintable, tribute-too-long */
function checkName(input: string, field: string, what: Words): string {
  const name = input.normalize().trim();
  checkText(name, field, what, TRIBUTE_NAME_MAXIMUM);
  return name.replace(/\s+/gu, ' ');
}

/** @throws Failure text-unprintable, tribute-too-long, card-message-too-many-lines */
function checkMessage(input: string, field: string): string {
  const what: Words = (options) => m.theMessage({}, options);
  const lines = input
    .normalize()
    .replaceAll('\t', ' ')
    .split(/\r\n?|\n/);
  const message = lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  checkText(message.replaceAll('\n', ' '), field, what, CARD_MESSAGE_MAXIMUM);
  if (message.split('\n').length > MESSAGE_LINES) {
    throw new Failure('card-message-too-many-lines', { most: MESSAGE_LINES, field });
  }
  return message;
}

function checkText(text: string, field: string, what: Words, maximum: number): void {
  // A visible character can have several code units, but not arbitrarily many.
  if (text.length > maximum * 8 || lengthOf(text) > maximum)
    throw new Failure('tribute-too-long', { what, most: maximum, field });
  const failure = unprintableFailure(text, what);
  if (failure) throw new Failure(failure.code, { ...failure.details, field });
}

/** Status of a card, for its donor and for editors. */
export function cardText(
  { email, status }: { readonly email: string; readonly status: CardStatus },
  options?: InLanguage,
): string {
  return CARD_TEXTS[status]({ email }, options);
}

const CARD_TEXTS: Readonly<Record<CardStatus, (details: { email: string }, options?: InLanguage) => string>> = {
  unpaid: m.tributeCardUnpaid,
  sending: m.tributeCardSending,
  mailed: m.tributeCardMailed,
  refused: m.tributeCardFailed,
  failed: m.tributeCardFailed,
  unknown: m.tributeCardUnknown,
  test: (_, options) => m.tributeCardTest({}, options),
};
