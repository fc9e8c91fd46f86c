/**
 * Checks the proof of a gift, a chain of a fund's heads, or that one head holds another. docs/proof.md says what that means.
 * It needs no other file and no network: a browser, or Node 20 or later.
 *
 *     node verify-gift.mjs [--key HEX] proof.json heads.json
 *
 * It says of each file whether it is accepted. If chains are among them, the head of each proof must be in one.
 */

const LARGEST = Number.MAX_SAFE_INTEGER;
const PARTS = 8;
const LONGEST_PATH = 106;
const MOST_HEADS = 1000;

class Refused extends Error {}

function need(condition, reason) {
  if (!condition) throw new Refused(reason);
}

// Bytes

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

function bytes(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function u64(n) {
  const eight = new Uint8Array(8);
  new DataView(eight.buffer).setBigUint64(0, BigInt(n));
  return eight;
}

const text = (s) => bytes(u64(s.length).subarray(4), new TextEncoder().encode(s));
const sumsBytes = (sums) => bytes(...sums.map(u64));
const hex = (all) => Array.from(all, (byte) => byte.toString(16).padStart(2, '0')).join('');

function added(a, b) {
  const sums = a.map((sum, which) => sum + b[which]);
  need(
    sums.every((sum) => sum <= LARGEST),
    'a sum is too large',
  );
  return sums;
}

// What a file holds

function members(value, names) {
  need(
    typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length === names.length &&
      names.every((name) => Object.hasOwn(value, name)),
    'an object has other members',
  );
  return value;
}

function list(value, least, most) {
  need(
    Array.isArray(value) && value.length >= least && value.length <= most,
    'a list is missing or has another length',
  );
  return value;
}

function asText(value, least = 1) {
  need(
    typeof value === 'string' && value.length >= least && /^[ -~]{0,200}$/.test(value),
    'a text is missing or has other characters',
  );
  return value;
}

function asNumber(value, isSigned = false) {
  const pattern = isSigned ? /^(?:0|-?[1-9][0-9]{0,15})$/ : /^(?:0|[1-9][0-9]{0,15})$/;
  need(typeof value === 'string' && pattern.test(value), 'a number is not written as one');
  const number = Number(value);
  need(Math.abs(number) <= LARGEST, 'a number is too large');
  return number;
}

function asBytes(value, length) {
  need(
    typeof value === 'string' && value.length === 2 * length && /^[0-9a-f]*$/.test(value),
    'bytes are not written as such',
  );
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(value.slice(2 * at, 2 * at + 2), 16));
}

const asSums = (value) => list(value, 4, 4).map((each) => asNumber(each));

function asDay(value) {
  need(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(asText(value)), 'a day is not written as one');
  return value;
}

function asMoney(value) {
  need(value === 'live' || value === 'test', 'the kind of money is unknown');
  return value;
}

/** Sums and hashes; what sizes they have follows from where they are. */
function asPath(value) {
  return list(value, 0, LONGEST_PATH).map((each) => {
    const data = asBytes(each, 64);
    const view = new DataView(data.buffer);
    const sums = [0, 8, 16, 24].map((at) => Number(view.getBigUint64(at)));
    need(
      sums.every((sum) => sum <= LARGEST),
      'a sum is too large',
    );
    return { sums, hash: data.subarray(32) };
  });
}

// The tree: a node is its size, sums and hash

async function join(left, right) {
  need(left.size + right.size <= LARGEST, 'a size is too large');
  const both = [left, right].map(({ size, sums, hash }) => bytes(u64(size), sumsBytes(sums), hash));
  return {
    size: left.size + right.size,
    sums: added(left.sums, right.sums),
    hash: await sha256(bytes([1], ...both)),
  };
}

const isSame = (a, b) =>
  a.size === b.size && a.sums.every((sum, which) => sum === b.sums[which]) && hex(a.hash) === hex(b.hash);

function splitOf(n) {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

async function rootOf(leaf, m, n, path) {
  if (n === 1) {
    need(path.length === 0, 'a path is too long');
    return leaf;
  }
  const k = splitOf(n);
  need(path.length > 0, 'a path is too short');
  const rest = path.slice(0, -1);
  const last = path.at(-1);
  return m < k
    ? join(await rootOf(leaf, m, k, rest), { size: n - k, ...last })
    : join({ size: k, ...last }, await rootOf(leaf, m - k, n - k, rest));
}

async function needConsistency(old, newer, path) {
  if (old.size === newer.size) {
    need(path.length === 0, 'a path is too long');
    need(isSame(old, newer), 'two trees of one size differ');
    return;
  }
  need(old.size < newer.size, 'a tree has become smaller');
  const rest = [...path];
  const following = (size) => {
    need(rest.length > 0, 'a path is too short');
    return { size, ...rest.shift() };
  };
  const both = async (m, n, isKnown) => {
    if (m === n) {
      const node = isKnown ? old : following(n);
      return [node, node];
    }
    const k = splitOf(n);
    if (m <= k) {
      const [before, after] = await both(m, k, isKnown);
      return [before, await join(after, following(n - k))];
    }
    const [before, after] = await both(m - k, n - k, false);
    const left = following(k);
    return [await join(left, before), await join(left, after)];
  };
  const [before, after] = await both(old.size, newer.size, true);
  need(rest.length === 0, 'a path is too long');
  need(isSame(before, old) && isSame(after, newer), 'a later tree does not hold the one before');
}

// Heads and files

const HEAD = ['organization', 'money', 'zone', 'day', 'size', 'sums', 'root', 'previous', 'key', 'signature'];

async function headOf(value, expectedKey, withoutSignatures = false) {
  const { organization, money, zone, day, size, sums, root, previous, key, signature } = members(value, HEAD);
  const head = {
    organization: asText(organization),
    money: asMoney(money),
    day: asDay(day),
    size: asNumber(size),
    sums: asSums(sums),
    hash: asBytes(root, 32),
    previous: asBytes(previous, 32),
    key: asBytes(key, 32),
  };
  need(head.size >= PARTS && head.size % PARTS === 0, 'a head has another size');
  const data = bytes(
    [3],
    ...['climate-fund-head-1', organization, money, asText(zone), day].map(text),
    u64(head.size),
    sumsBytes(head.sums),
    head.hash,
    head.previous,
    head.key,
  );
  need(expectedKey === undefined || expectedKey === key, 'a head has another key');
  const signed = asBytes(signature, 64);
  need(withoutSignatures || (await isSigned(head.key, data, signed)), 'a signature is wrong');
  return { ...head, id: hex(await sha256(data)) };
}

async function isSigned(key, data, signature) {
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']).catch((err) => {
    // Bytes that are no key are a wrong signature; a browser that lacks Ed25519 must not look like one.
    if (err?.name === 'NotSupportedError') throw err;
    return undefined;
  });
  return imported !== undefined && crypto.subtle.verify('Ed25519', imported, signature, data);
}

async function needOrder(old, newer, path, isNewKey = false) {
  need(
    old.organization === newer.organization &&
      old.money === newer.money &&
      (hex(old.key) === hex(newer.key)) !== isNewKey,
    'two heads are not of one chain',
  );
  need(old.day < newer.day, 'days do not rise');
  await needConsistency(old, newer, path);
}

const ENTRY = ['kind', 'fact', 'receipt', 'date', 'cents', 'pounds', 'salt'];

async function verifyProof(file, key, withoutSignatures) {
  members(file, ['format', 'head', 'entry', 'parts']);
  const head = await headOf(file.head, key, withoutSignatures);
  const entry = members(file.entry, ENTRY);
  const cents = asNumber(entry.cents, true);
  const pounds = asNumber(entry.pounds, true);
  const salt = asBytes(entry.salt, 32);
  const own = [Math.max(cents, 0), Math.max(-cents, 0), Math.max(pounds, 0), Math.max(-pounds, 0)];
  const texts = [asText(entry.kind), asText(entry.fact), asText(entry.receipt, 0), asDay(entry.date)];
  const stated = bytes(...[head.organization, head.money, ...texts].map(text), sumsBytes(own));
  let total = [0, 0, 0, 0];
  const indexes = new Set();
  for (const [j, part] of list(file.parts, PARTS, PARTS).entries()) {
    const { index: at, sums: amounts, path } = members(part, ['index', 'sums', 'path']);
    const index = asNumber(at);
    const sums = asSums(amounts);
    need(index < head.size && !indexes.has(index), 'a part is at a wrong place');
    indexes.add(index);
    total = added(total, sums);
    const commitment = await sha256(bytes([2], salt, u64(j), stated));
    const leaf = { size: 1, sums, hash: await sha256(bytes([0], sumsBytes(sums), commitment)) };
    need(isSame(await rootOf(leaf, index, head.size, asPath(path)), head), 'a part is not in the tree');
  }
  need(
    total.every((sum, which) => sum === own[which]),
    'the parts do not add up to the entry',
  );
  return [head];
}

async function verifyChain(file, key) {
  members(file, ['format', 'heads', 'paths']);
  const heads = [];
  for (const each of list(file.heads, 1, MOST_HEADS)) heads.push(await headOf(each, key));
  const paths = list(file.paths, heads.length - 1, heads.length - 1);
  for (const [at, path] of paths.entries()) {
    need(hex(heads[at + 1].previous) === heads[at].id, 'a head does not follow the one before');
    await needOrder(heads[at], heads[at + 1], asPath(path));
  }
  return heads;
}

async function verifyConsistency(file, key) {
  members(file, ['format', 'from', 'to', 'path']);
  const heads = [await headOf(file.from, key), await headOf(file.to, key)];
  await needOrder(...heads, asPath(file.path));
  return heads;
}

async function verifyKeys(file, key) {
  members(file, ['format', 'changes']);
  const heads = [];
  for (const change of list(file.changes, 1, MOST_HEADS)) {
    const { from, to, path, signature } = members(change, ['from', 'to', 'path', 'signature']);
    const known = heads.length === 0 ? key : hex(heads.at(-1).key);
    const [old, newer] = [await headOf(from, known), await headOf(to)];
    need(hex(newer.previous) === old.id, 'a head does not follow the one before');
    const data = bytes([4], text('climate-fund-key-1'), old.key, newer.key);
    need(await isSigned(old.key, data, asBytes(signature, 64)), 'a signature is wrong');
    await needOrder(old, newer, asPath(path), true);
    heads.push(old, newer);
  }
  return heads;
}

const FORMATS = new Map([
  ['climate-fund-proof-1', verifyProof],
  ['climate-fund-heads-1', verifyChain],
  ['climate-fund-consistency-1', verifyConsistency],
  ['climate-fund-keys-1', verifyKeys],
]);

/**
 * @param {Uint8Array} data what is in the file
 * @param {string} [key] the fund's public key, 64 hexadecimal digits: heads with another are refused
 * @param {boolean} [withoutSignatures] checks all of a proof but the signature of its head, for browsers that lack Ed25519
 *   (without it, NotSupportedError); a caller that asks for it has to say so
 * @returns {Promise<{ format?: string, heads?: { organization: string, day: string, id: string }[], refused?: string }>}
 *   `refused` says why it is refused, and is undefined if it is accepted
 */
export async function verifyFile(data, key, withoutSignatures) {
  try {
    const file = parsed(data);
    const format = typeof file === 'object' && file !== null ? file.format : undefined;
    const verify = FORMATS.get(format);
    need(verify, 'the format is unknown');
    return { format, heads: await verify(file, key, withoutSignatures) };
  } catch (err) {
    if (err instanceof Refused) return { refused: err.message };
    throw err;
  }
}

function parsed(data) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data));
  } catch {
    throw new Refused('the file is not JSON');
  }
}

async function main([first, ...others]) {
  const { readFile } = await import('node:fs/promises');
  const [key, names] = first === '--key' ? [others[0], others.slice(1)] : [undefined, [first, ...others]];
  const results = [];
  for (const name of names) results.push({ name, ...(await verifyFile(await readFile(name), key)) });
  const chains = results.filter(({ format }) => format === 'climate-fund-heads-1').flatMap(({ heads }) => heads);
  const known = new Set(chains.map(({ id }) => id));
  for (const result of results) {
    const isAlone = result.format === 'climate-fund-proof-1' && known.size > 0 && !known.has(result.heads[0].id);
    const refused = result.refused ?? (isAlone ? 'its head is in no chain' : undefined);
    if (refused !== undefined) process.exitCode = 1;
    console.log(`${result.name}: ${refused === undefined ? 'accepted' : `refused: ${refused}`}`);
  }
}

const isCommand = typeof process !== 'undefined' && /verify-gift\.mjs$/.test(process.argv?.[1] ?? '');
if (isCommand && process.argv.length > 2) await main(process.argv.slice(2));
