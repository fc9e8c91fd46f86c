import { type InLanguage, m } from '#messages';
import { Failure, type LocalizedText } from './failures.ts';
import { isEmail, visibleLength } from './profile.ts';
import { profileFailure } from './profile-failures.ts';
import { nameLabel, unprintableFailure } from './safe-text.ts';

/** The person whom a gift honors or commemorates. */
export type Tribute = { readonly kind: TributeKind; readonly name: string };

export type TributeKind = 'honor' | 'memory';
export const TRIBUTE_KINDS: readonly TributeKind[] = ['honor', 'memory'];

/** "In honor of", for a name that is shown separately. */
export function tributePrefix(kind: TributeKind, options?: InLanguage): string {
  return kind === 'honor' ? m.tributeHonor({}, options) : m.tributeMemory({}, options);
}

/** "In honor of Ada Lovelace". */
export function tributeText({ kind, name }: Tribute, options?: InLanguage): string {
  return kind === 'honor' ? m.tributeHonorOf({ name }, options) : m.tributeMemoryOf({ name }, options);
}

/** An email card that announces a gift without its amount. */
export type TributeCard = {
  readonly email: string;
  /** The recipient's name; '' if not given. */
  readonly name: string;
  readonly message: string;
  /** The donor's signature; '' to stay anonymous. */
  readonly signature: string;
};

/**
 * unpaid: nothing is sent before the gift is paid. unknown: the gift was lost and restored, so its card may have been sent.
 * test: no money moved, so nothing was sent.
 */
export const CARD_STATUSES = ['unpaid', 'sending', 'sent', 'rejected', 'failed', 'unknown', 'test'] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

export const MAX_TRIBUTE_NAME_LENGTH = 60;
export const MAX_CARD_MESSAGE_LENGTH = 500;
const MAX_MESSAGE_LINES = 12;

/** A submitted tribute, which can contain any text. */
export type TributeInput = {
  readonly kind: TributeKind;
  readonly name: string;
  readonly card?: CardInput | undefined;
};

export type CardInput = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly signature?: string | undefined;
};

/**
 * Validates and normalizes a tribute. Its card shows the donor's words to a stranger, so it is sent only once the gift is
 * paid.
 *
 * @returns the first of `listTributeFailures`
 */
export function parseTribute(input: TributeInput): (Tribute & { readonly card?: TributeCard }) | Failure {
  const [failure] = listTributeFailures(input);
  if (failure) return failure;
  const { kind, card } = input;
  const name = toOneLine(input.name);
  return card === undefined ? { kind, name } : { kind, name, card: normalizeCard(card) };
}

/**
 * Lists the invalid fields of a tribute, in form order.
 * @returns Failures that name their field: no-honored-name, no-email, invalid-email, text-unprintable, tribute-too-long,
 * card-message-too-many-lines
 */
export function listTributeFailures({ name, card }: Omit<TributeInput, 'kind'>): readonly Failure[] {
  return [
    tributeTextFailure(name, 'tribute.name', nameLabel, MAX_TRIBUTE_NAME_LENGTH) ??
      (toOneLine(name) === '' ? new Failure('no-honored-name', { field: 'tribute.name' }) : undefined),
    ...(card === undefined ? [] : listCardFailures(card)),
  ].filter((failure) => failure !== undefined);
}

function listCardFailures({ email, name = '', message = '', signature = '' }: CardInput): (Failure | undefined)[] {
  return [
    cardEmailFailure(email.trim()),
    tributeTextFailure(name, 'tribute.card.name', nameLabel, MAX_TRIBUTE_NAME_LENGTH),
    messageFailure(normalizeMessage(message)),
    tributeTextFailure(signature, 'tribute.card.signature', signatureLabel, MAX_TRIBUTE_NAME_LENGTH),
  ];
}

function cardEmailFailure(email: string): Failure | undefined {
  const field = 'tribute.card.email';
  if (email === '') return profileFailure('no-email', { field });
  return isEmail(email) ? undefined : profileFailure('invalid-email', { email: email.slice(0, 100), field });
}

function normalizeCard({ email, name = '', message = '', signature = '' }: CardInput): TributeCard {
  return {
    email: email.trim(),
    name: toOneLine(name),
    message: normalizeMessage(message),
    signature: toOneLine(signature),
  };
}

const signatureLabel: LocalizedText = (options) => m.theSignature({}, options);
const messageLabel: LocalizedText = (options) => m.theMessage({}, options);

function toOneLine(text: string): string {
  return text.normalize().trim().replace(/\s+/gu, ' ');
}

/** Trims every line and collapses repeated empty lines. */
function normalizeMessage(text: string): string {
  const lines = text
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
  const failure = tributeTextFailure(message.replaceAll('\n', ' '), field, messageLabel, MAX_CARD_MESSAGE_LENGTH);
  if (failure) return failure;
  if (message.split('\n').length <= MAX_MESSAGE_LINES) return undefined;
  return new Failure('card-message-too-many-lines', { max: MAX_MESSAGE_LINES, field });
}

function tributeTextFailure(
  input: string,
  field: string,
  label: LocalizedText,
  maxLength: number,
): Failure | undefined {
  const text = input.normalize().trim();
  // A visible character can consist of several code units, so limit the code units as well.
  if (text.length > maxLength * 8 || visibleLength(text) > maxLength)
    return new Failure('tribute-too-long', { label, max: maxLength, field });
  const failure = unprintableFailure(text, label);
  return failure && new Failure(failure.code, { ...failure.details, field });
}

/** Status of a card, for its donor and for editors. */
export function cardStatusText(
  { email, status }: { readonly email: string; readonly status: CardStatus },
  options?: InLanguage,
): string {
  return CARD_STATUS_TEXTS[status]({ email }, options);
}

const CARD_STATUS_TEXTS: Readonly<Record<CardStatus, (details: { email: string }, options?: InLanguage) => string>> = {
  unpaid: m.tributeCardUnpaid,
  sending: m.tributeCardSending,
  sent: m.tributeCardMailed,
  rejected: m.tributeCardFailed,
  failed: m.tributeCardFailed,
  unknown: m.tributeCardUnknown,
  test: (_, options) => m.tributeCardTest({}, options),
};
