/**
 * Runs in the browser, inside the document of a proof, after verify-gift.mjs (proof-page.ts puts both into it). It needs no
 * network and no other file. All that the document says is written here, after the check: what was there before is removed.
 *
 * @param verifyFile of verify-gift.mjs
 * @param told `key` and `organization` are the fund's when the document was made, `words` in one language, with {names} of
 *   what is filled in
 */
export async function showProof(verifyFile, told) {
  const data = document.getElementById('proof')?.textContent ?? '';
  const outcome = await outcomeOf(verifyFile, data, told);
  const main = element('main', {}, element('h1', {}, told.words.title), verdictOf(outcome, told));
  if (outcome.file) main.append(...factsOf(outcome, told));
  if (outcome.state !== 'refused') main.append(...ownCheckOf(data, told));
  document.body.replaceChildren(main);
}

/** `state`: 'whole', 'unsigned' where the browser lacks Ed25519, 'none' where it can check nothing, or 'refused'. */
async function outcomeOf(verifyFile, data, { key, organization }) {
  // Only on pages that came over https, from this machine, or from a file.
  if (globalThis.crypto?.subtle === undefined) return { state: 'none' };
  const bytes = new TextEncoder().encode(data);
  let state = 'whole';
  let result = await verifyFile(bytes, key).catch((error) => {
    if (error?.name !== 'NotSupportedError') throw error;
    state = 'unsigned';
  });
  result ??= await verifyFile(bytes, key, true);
  if (result.refused !== undefined) return { state: 'refused', reason: result.refused };
  const [head] = result.heads;
  const isOther = result.format !== 'climate-fund-proof-1' || head.organization !== organization;
  if (isOther) return { state: 'refused', reason: 'the format is unknown' };
  return { state, file: JSON.parse(data), hash: head.id, print: await fingerprintOf(key) };
}

/** What the verifier says is sorted into what a donor can make of it. */
const REASONS = {
  'a signature is wrong': 'signature',
  'a head has another key': 'key',
  'a part is not in the tree': 'tree',
  'a part is at a wrong place': 'tree',
  'a path is too long': 'tree',
  'a path is too short': 'tree',
  'the parts do not add up to the entry': 'sum',
};

function verdictOf(outcome, { words, locale }) {
  if (outcome.state === 'refused') {
    const reason = words.reasons[REASONS[outcome.reason] ?? 'form'];
    return element(
      'section',
      { className: 'verdict bad', role: 'alert' },
      element('strong', {}, words.refused),
      element('p', {}, reason),
      element('p', { className: 'small' }, element('code', { lang: 'en' }, `verify-gift.mjs: ${outcome.reason}`)),
      element('p', {}, words.refusedWhy),
    );
  }
  if (outcome.state === 'none') return verdict('unsure', words.unchecked, words.uncheckedWhy);
  const values = valuesOf(outcome, locale);
  return outcome.state === 'whole'
    ? verdict('good', words.holds, filled(words.counted, values))
    : verdict('unsure', words.unsigned, filled(words.countedUnsigned, values), words.unsignedWhy);
}

function verdict(kind, title, ...sentences) {
  const paragraphs = sentences.map((sentence) => element('p', {}, sentence));
  return element(
    'section',
    { className: `verdict ${kind}`, role: 'status' },
    element('strong', {}, title),
    ...paragraphs,
  );
}

function factsOf(outcome, { words, locale, fund }) {
  const { file, hash, print, state } = outcome;
  const { head, entry } = file;
  const values = valuesOf(outcome, locale);
  const [centsIn, centsOut, poundsIn, poundsOut] = head.sums;
  const both = (cents, pounds) => filled(words.both, { amount: money(cents, locale), pounds: weight(pounds, locale) });
  const signed = state === 'whole' ? filled(words.shows.signed, values) : words.shows.unsigned;
  return [
    element('h2', {}, words.gift),
    facts([
      [words.labels.amount, values.amount],
      [words.labels.date, dayText(entry.date, locale)],
      [words.labels.pounds, weight(entry.pounds, locale)],
      [words.labels.receipt, entry.receipt],
      [words.labels.fund, `${fund} (${head.organization})`],
      [words.labels.entry, code(`${entry.kind}, ${entry.fact}`)],
    ]),
    ...(head.money === 'test' ? [element('p', {}, words.testMoney)] : []),
    element('h2', {}, words.shows.title),
    bullets([filled(words.shows.isIn, values), words.shows.once, signed]),
    element('h2', {}, words.hides.title),
    bullets([words.hides.others, words.hides.later, words.hides.same, words.hides.key, words.hides.page]),
    element('h2', {}, filled(words.head, values)),
    element('p', {}, words.headLead),
    facts([
      [words.labels.entries, whole(Number(head.size) / 8, locale)],
      [words.labels.cameIn, both(centsIn, poundsIn)],
      [words.labels.wentBack, both(centsOut, poundsOut)],
      [words.labels.zone, head.zone],
      [words.labels.print, code(print)],
      [words.labels.key, code(head.key)],
      [words.labels.hash, code(hash)],
    ]),
  ];
}

/** How to check the same without this page. */
function ownCheckOf(data, { words, links }) {
  const file = element('a', { download: 'proof.json' }, words.saveFile);
  file.href = URL.createObjectURL(new Blob([data], { type: 'application/json' }));
  const isSaved = location.protocol === 'file:';
  const page = element('a', { href: location.href, download: links.name }, words.savePage);
  return [
    element('h2', {}, words.self),
    element('p', {}, words.selfLead),
    element('pre', {}, element('code', {}, 'node verify-gift.mjs proof.json heads.json')),
    element(
      'ul',
      { className: 'links' },
      ...(isSaved ? [] : [item(page)]),
      item(file),
      item(element('a', { href: links.verifier, download: 'verify-gift.mjs' }, 'verify-gift.mjs')),
      item(element('a', { href: links.chain, download: 'heads.json' }, 'heads.json')),
      item(element('a', { href: links.heads }, words.allHeads)),
    ),
  ];
}

function valuesOf({ file, print }, locale) {
  const { head, entry } = file;
  return { amount: money(entry.cents, locale), day: dayText(head.day, locale), key: print };
}

/** As the page of heads has it: the first half of the key's SHA-256, in groups of four digits. */
async function fingerprintOf(key) {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(key.slice(2 * at, 2 * at + 2), 16));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const digits = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/.{4}(?=.)/g, '$& ');
}

// How it is written

const money = (cents, locale) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(Number(cents) / 100);
const weight = (pounds, locale) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(Number(pounds) / 10_000);
const whole = (count, locale) => new Intl.NumberFormat(locale).format(count);

function dayText(day, locale) {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime())
    ? day
    : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

function element(name, { lang, role, ...properties }, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  if (lang) made.lang = lang;
  if (role) made.setAttribute('role', role);
  made.append(...children);
  return made;
}

const code = (text) => element('code', {}, text);
const item = (child) => element('li', {}, child);
const bullets = (sentences) => element('ul', {}, ...sentences.map((sentence) => item(sentence)));
const facts = (rows) =>
  element(
    'dl',
    {},
    ...rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
