import { type InLanguage, m } from '#messages';
import { Failure, type Words } from './failures.ts';
import { isEmail, lengthOf } from './profile.ts';
import { profileFailure } from './profile-failures.ts';
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
export const CARD_STATUSES = ['unpaid', 'sending', 'sent', 'rejected', 'failed', 'unknown', 'test'] as const;
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
 * The tribute to store. Its card goes to a stranger with the donor's words, and only a paid gift sends it.
 *
 * @returns a Failure that names the field: no-honored-name, no-email, invalid-email, text-unprintable, tribute-too-long,
 * card-message-too-many-lines
 */
export function parseTribute({
  kind,
  name: typed,
  card: typedCard,
}: TypedTribute): (Tribute & { readonly card?: TributeCard }) | Failure {
  const failure = textFailureOf(typed, 'tribute.name', theName, TRIBUTE_NAME_MAXIMUM);
  if (failure) return failure;
  const name = oneLine(typed);
  if (name === '') return new Failure('no-honored-name', { field: 'tribute.name' });
  if (typedCard === undefined) return { kind, name };
  const card = parseCard(typedCard);
  return card instanceof Failure ? card : { kind, name, card };
}

function parseCard({
  email: typed,
  name: typedName = '',
  message: text = '',
  signed = '',
}: TypedCard): TributeCard | Failure {
  const email = typed.trim();
  if (email === '') return profileFailure('no-email', { field: 'tribute.card.email' });
  if (!isEmail(email))
    return profileFailure('invalid-email', { email: email.slice(0, 100), field: 'tribute.card.email' });
  const message = messageLines(text);
  const failure =
    textFailureOf(typedName, 'tribute.card.name', theName, TRIBUTE_NAME_MAXIMUM) ??
    messageFailure(message) ??
    textFailureOf(signed, 'tribute.card.signed', theSignature, TRIBUTE_NAME_MAXIMUM);
  return failure ?? { email, name: oneLine(typedName), message, signed: oneLine(signed) };
}

const theSignature: Words = (options) => m.theSignature({}, options);
const theMessage: Words = (options) => m.theMessage({}, options);

/** A name on one line, with single spaces. */
function oneLine(typed: string): string {
  return typed.normalize().trim().replace(/\s+/gu, ' ');
}

/** The message without spaces at the ends of lines, and with at most one empty line at a time. */
function messageLines(typed: string): string {
  const lines = typed
    .normalize()
    .replaceAll('\t', ' ')
    .split(/\r\n?|\n/);
  return lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function messageFailure(message: string): Failure | undefined {
  const field = 'tribute.card.message';
  const failure = textFailureOf(message.replaceAll('\n', ' '), field, theMessage, CARD_MESSAGE_MAXIMUM);
  if (failure) return failure;
  if (message.split('\n').length <= MESSAGE_LINES) return undefined;
  return new Failure('card-message-too-many-lines', { most: MESSAGE_LINES, field });
}

function textFailureOf(typed: string, field: string, what: Words, most: number): Failure | undefined {
  const text = typed.normalize().trim();
  // A visible character can have several code units, but not an unlimited number.
  if (text.length > most * 8 || lengthOf(text) > most) return new Failure('tribute-too-long', { what, most, field });
  const failure = unprintableFailure(text, what);
  return failure && new Failure(failure.code, { ...failure.details, field });
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
  sent: m.tributeCardMailed,
  rejected: m.tributeCardFailed,
  failed: m.tributeCardFailed,
  unknown: m.tributeCardUnknown,
  test: (_, options) => m.tributeCardTest({}, options),
};
