// Text for gifts on card and bank statements: https://docs.stripe.com/get-started/account/statement-descriptors
// 5 to 22 Latin characters with at least one letter, and none of < > \ ' " *

const MAX_LENGTH = 22;
const MIN_LENGTH = 5;
/** The account's prefix can have 10 characters, and "* " separates it from the suffix. */
const MAX_SUFFIX_LENGTH = 10;

/** Builds the text after the account's prefix, for one-time card gifts. */
export function buildDescriptorSuffix(orgName: string): string {
  const name = truncateToWords(
    toAsciiName(orgName).replace(/^(THE |CITY OF |TOWN OF |FRIENDS OF )+/, ''),
    MAX_SUFFIX_LENGTH,
  );
  return /[A-Z]/.test(name) ? name : 'GIFT';
}

/** Builds the full text for recurring gifts. */
export function buildStatementDescriptor(orgName: string): string {
  const name = truncateToWords(toAsciiName(orgName), MAX_LENGTH);
  return name.length >= MIN_LENGTH && /[A-Z]/.test(name) ? name : `${name} CLIMATE GIFT`.trim();
}

function toAsciiName(name: string): string {
  const latin = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return latin.replace(/[^A-Z0-9.&-]+/g, ' ').trim();
}

function truncateToWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = text.lastIndexOf(' ', maxLength);
  return text.slice(0, end > 0 ? end : maxLength);
}
