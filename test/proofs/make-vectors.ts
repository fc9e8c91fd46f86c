import { createHash } from 'node:crypto';
import type { ProvenEntry } from '#domain/gift-proof.ts';
import { provenFund, sha256 } from '#test/support/proven-fund.ts';

/** The small tree of docs/proof.md's test vectors. Its bytes are put together here once more, by that page alone. */
export function makeVectors() {
  const entry = (number: number, cents: number, receipt: string): ProvenEntry => ({
    ...{ kind: cents < 0 ? 'refund' : 'payment', fact: `checkout-session:cs_${number}`, receipt, date: '2026-01-01' },
    ...{ cents, pounds: cents * 480, salt: sha256(Uint8Array.of(number)) },
  });
  const first = entry(1, 2500, '2026-000001');
  const fund = provenFund([[first, entry(2, 1000, '2026-000002')], [], [entry(3, -1000, '')]]);
  const proof = fund.proof(0, 0);
  const [head, , last] = fund.heads.map(({ inFile }) => inFile);
  const [part] = proof.parts;
  if (!head || !last || !part) throw new Error('The small tree lacks a head or a part');
  const stated = joined(
    ...[head.organization, head.money, first.kind, first.fact, first.receipt, first.date].map(text),
    ...['2500', '0', '1200000', '0'].map(u64),
  );
  const commitment = hash(joined('02', proof.entry.salt, u64('0'), stated));
  const headBytes = joined(
    '03',
    ...['climate-fund-head-1', head.organization, head.money, head.zone, head.day].map(text),
    ...[head.size, ...head.sums].map(u64),
    ...[head.root, head.previous, head.key],
  );
  const chain = fund.chain();
  const between = fund.consistency(0, 2);
  const renewed = provenFund([[first, entry(2, 1000, '2026-000002')], [], [entry(3, -1000, '')]], { newKeyFrom: 2 });
  const keys = renewed.keys();
  const [change] = keys.changes;
  const swapped = [proof.parts[1], proof.parts[0], ...proof.parts.slice(2)];
  return {
    intermediate: {
      stated,
      commitmentOfPart0: commitment,
      leafOfPart0: hash(joined('00', ...part.sums.map(u64), commitment)),
      headBytes,
      headHash: hash(headBytes),
    },
    accepted: [proof, fund.proof(2, 2), chain, between, keys, renewed.chain(0, 1), renewed.proof(2, 2)],
    refused: [
      { reason: 'the format is unknown', file: { ...proof, format: 'climate-fund-proof-2' } },
      { reason: 'an object has other members', file: { ...proof, note: '' } },
      { reason: 'a signature is wrong', file: { ...proof, head: { ...head, day: '2026-01-02' } } },
      { reason: 'a number is not written as one', file: { ...proof, entry: { ...proof.entry, cents: '-0' } } },
      { reason: 'a part is not in the tree', file: { ...proof, entry: { ...proof.entry, cents: '2400' } } },
      { reason: 'a part is not in the tree', file: { ...proof, parts: swapped } },
      { reason: 'a list is missing or has another length', file: { ...proof, parts: proof.parts.slice(1) } },
      { reason: 'a head does not follow the one before', file: { ...chain, heads: [head, last], paths: [[]] } },
      { reason: 'days do not rise', file: { ...between, from: last, to: last, path: [] } },
      { reason: 'a path is too short', file: { ...between, path: [] } },
      { reason: 'a signature is wrong', file: { ...keys, changes: [{ ...change, signature: head.signature }] } },
      { reason: 'a head has another key', file: { ...keys, changes: [change, change] } },
      { reason: 'a head does not follow the one before', file: { ...keys, changes: [{ ...change, from: head }] } },
      { reason: 'a list is missing or has another length', file: { ...keys, changes: [] } },
      { reason: 'two heads are not of one chain', file: renewed.chain() },
      { reason: 'a path is too long', file: { ...between, path: [...between.path, ...between.path] } },
    ],
  };
}

const hash = (bytes: string) => createHash('sha256').update(bytes, 'hex').digest('hex');
const joined = (...parts: readonly string[]) => parts.join('');
const u64 = (value: string) => BigInt(value).toString(16).padStart(16, '0');
const text = (value: string) => value.length.toString(16).padStart(8, '0') + Buffer.from(value).toString('hex');
