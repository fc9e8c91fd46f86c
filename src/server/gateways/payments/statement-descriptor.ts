// What card and bank statements call a gift: https://docs.stripe.com/get-started/account/statement-descriptors
// 5 to 22 Latin characters with at least one letter, and none of < > \ ' " *

const MOST = 22;
const LEAST = 5;
/** The account's prefix may take 10 characters, and "* " separates the two. */
const MOST_OF_SUFFIX = 10;

/** Follows the account's own prefix, on statements of one-time card gifts. */
export function descriptorSuffix(orgName: string): string {
  const name = wholeWords(plainName(orgName).replace(/^(THE |CITY OF |TOWN OF |FRIENDS OF )+/, ''), MOST_OF_SUFFIX);
  return /[A-Z]/.test(name) ? name : 'GIFT';
}

/** All of the text on statements of recurring gifts. */
export function statementDescriptor(orgName: string): string {
  const name = wholeWords(plainName(orgName), MOST);
  return name.length >= LEAST && /[A-Z]/.test(name) ? name : `${name} CLIMATE GIFT`.trim();
}

function plainName(name: string): string {
  const latin = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return latin.replace(/[^A-Z0-9.&-]+/g, ' ').trim();
}

function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf(' ', most);
  return text.slice(0, end > 0 ? end : most);
}
