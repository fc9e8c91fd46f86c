import { brandOf, passesLuhn, type Verdict, verdictOn } from './cards.ts';
import type { Instrument, Payer } from './payer.ts';

/** The fields of the page by the names of their inputs. Of both forms: the bank debit's has the first two only. */
export type PayField = 'email' | 'name' | 'number' | 'expiry' | 'cvc';
export type PayFields = Readonly<Record<PayField, string>>;
export type FieldErrors = Readonly<Partial<Record<PayField, string>>>;

export type TypedCard = { readonly payer: Payer; readonly instrument: Instrument; readonly verdict: Verdict };

/** Reads the card form. @param now a card is good until the end of its month @returns the card, or what is wrong by field */
export function readCard(fields: PayFields, now: Date): { card: TypedCard } | { errors: FieldErrors } {
  const number = digitsOf(fields.number);
  const expiry = readExpiry(fields.expiry);
  const errors = noted({
    email: emailError(fields.email),
    number: numberError(number),
    expiry: expiryError(fields.expiry, expiry, now),
    cvc: cvcError(digitsOf(fields.cvc), number),
    name: nameError(fields.name, 'Enter the name on the card.'),
  });
  if (errors || !expiry) return { errors: errors ?? {} };
  const instrument: Instrument = {
    kind: 'card',
    brand: brandOf(number),
    last4: number.slice(-4),
    expMonth: expiry.month,
    expYear: expiry.year,
  };
  return { card: { payer: payerOf(fields), instrument, verdict: verdictOn(number) } };
}

/** Reads the bank debit's form. */
export function readDebit(fields: PayFields): { payer: Payer } | { errors: FieldErrors } {
  const errors = noted({
    email: emailError(fields.email),
    name: nameError(fields.name, 'Enter the name of the account holder.'),
  });
  return errors ? { errors } : { payer: payerOf(fields) };
}

function payerOf(fields: PayFields): Payer {
  return { email: fields.email.trim(), name: fields.name.trim() };
}

function noted(found: Partial<Record<PayField, string | undefined>>): FieldErrors | undefined {
  const errors = Object.entries(found).filter(([, message]) => message !== undefined);
  return errors.length > 0 ? Object.fromEntries(errors) : undefined;
}

/** Only spaces and dashes are overlooked: a letter is not a digit that went astray. */
function digitsOf(text: string): string {
  return text.replace(/[\s-]/g, '');
}

function emailError(email: string): string | undefined {
  if (email.trim() === '') return 'Enter your email address.';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'Your email is incomplete.';
}

function nameError(name: string, message: string): string | undefined {
  return name.trim() === '' ? message : undefined;
}

function numberError(number: string): string | undefined {
  if (number === '') return 'Enter your card number.';
  if (!/^\d+$/.test(number)) return 'Your card number is invalid.';
  if (number.length < 12) return 'Your card number is incomplete.';
  return number.length <= 19 && passesLuhn(number) ? undefined : 'Your card number is invalid.';
}

type Expiry = { readonly month: number; readonly year: number };

/** Takes 12/34, 12 / 34, 1234, 12/2034. */
function readExpiry(text: string): Expiry | undefined {
  const [, month, year] =
    /^(\d{1,2})\s*\/\s*(\d{4}|\d{2})$/.exec(text.trim()) ?? /^(\d{2})(\d{4}|\d{2})$/.exec(digitsOf(text)) ?? [];
  if (month === undefined || year === undefined) return undefined;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

function expiryError(text: string, expiry: Expiry | undefined, now: Date): string | undefined {
  if (text.trim() === '') return "Enter your card's expiration date.";
  if (!expiry) return "Your card's expiration date is incomplete.";
  if (expiry.month < 1 || expiry.month > 12) return "Your card's expiration date is invalid.";
  const thisYear = now.getUTCFullYear();
  if (expiry.year < thisYear) return "Your card's expiration year is in the past.";
  if (expiry.year === thisYear && expiry.month < now.getUTCMonth() + 1)
    return "Your card's expiration date is in the past.";
  return expiry.year > thisYear + 50 ? "Your card's expiration year is invalid." : undefined;
}

function cvcError(cvc: string, number: string): string | undefined {
  const length = brandOf(number) === 'amex' ? 4 : 3;
  if (cvc === '') return "Enter your card's security code.";
  if (!/^\d+$/.test(cvc) || cvc.length > length) return "Your card's security code is invalid.";
  return cvc.length < length ? "Your card's security code is incomplete." : undefined;
}
