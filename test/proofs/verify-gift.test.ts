import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { ProvenEntry } from '#domain/gift-proof.ts';
import { leafNode, type Sums } from '#domain/sum-tree.ts';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { provenFund, sha256 } from '#test/support/proven-fund.ts';
import { makeVectors } from './make-vectors.ts';
import { goodFile, histories, proofFiles, tamper } from './proof-files.ts';

type Verdict = { readonly refused?: string; readonly heads?: readonly { readonly id: string }[] };
const VERIFIER = fileURLToPath(new URL('../../scripts/verify-gift.mjs', import.meta.url));
const { verifyFile } = (await import(VERIFIER)) as {
  verifyFile(this: void, data: Uint8Array, key?: string): Promise<Verdict>;
};
const SECOND_VERIFIER = fileURLToPath(new URL('verify_gift.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

const RUNS = Number(process.env.PROOF_RUNS ?? 150);
/** PROOF_FILES=1000: as many as the second verifier was held to; it takes a minute. */
const FILES = Number(process.env.PROOF_FILES ?? 120);

/** A busy machine takes 30 ms for each. */
vi.setConfig({ testTimeout: Math.max(60_000, RUNS * 60) });

const check = (file: unknown, key?: string) => verifyFile(new TextEncoder().encode(JSON.stringify(file)), key);
const run = promisify(execFile);

const entryOf = (number: number, cents: number, pounds = cents * 480): ProvenEntry => ({
  ...{ kind: cents < 0 ? 'refund' : 'payment', fact: `checkout-session:cs_${number}`, receipt: `2026-${number}` },
  ...{ date: '2026-01-01', cents, pounds, salt: sha256(Uint8Array.of(number)) },
});

test('whatever a fund’s days were, its proofs, chains and consistency are accepted', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async (days, some) => {
      expect((await check(goodFile(provenFund(days), some))).refused).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
});

test('a single thing that was changed is found, wherever it is', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), fc.nat(), async (days, which, some) => {
      const file: unknown = JSON.parse(JSON.stringify(goodFile(provenFund(days), which)));
      const how = tamper(file, some);
      if (how !== undefined) expect((await check(file)).refused, how).toBeDefined();
    }),
    { numRuns: RUNS },
  );
});

/** Each is signed again: what a fund itself could try. */
test('a fund that signs another history is found by anyone who has an earlier head', async () => {
  const days = [[entryOf(1, 2500), entryOf(2, 1000)], [entryOf(3, 500)], [entryOf(4, -500)]];
  const honest = provenFund(days);
  const lies = {
    smaller: provenFund([[entryOf(1, 2500), entryOf(2, 900)], ...days.slice(1)]),
    missing: provenFund([[entryOf(1, 2500)], ...days.slice(1)]),
    'in another order': provenFund([days[0] ?? [], days[2] ?? [], days[1] ?? []]),
  };
  for (const [lie, fund] of Object.entries(lies)) {
    const last = fund.heads.at(-1)?.inFile;
    const isFound = await check({ ...honest.consistency(0, 2), to: last });
    expect(isFound.refused, lie).toBe('a later tree does not hold the one before');
    const chain = honest.chain();
    expect((await check({ ...chain, heads: [...chain.heads.slice(0, 2), last] })).refused, lie).toBeDefined();
  }
});

test('a head whose tree a later one does not hold is found, though the later one is honest', async () => {
  const days = [[entryOf(1, 2500), entryOf(2, 1000)], [entryOf(3, 500)], [entryOf(4, -500)]];
  const lie = provenFund([[entryOf(1, 2500), entryOf(2, 1100)], ...days.slice(1)]);
  const file = { ...provenFund(days).consistency(1, 2), from: lie.heads[1]?.inFile };
  expect((await check(file)).refused).toBe('a later tree does not hold the one before');
});

test('a fund that counts less of a gift than it received is found by its donor', async () => {
  const days = [[entryOf(1, 2500), entryOf(2, 1000)]];
  const half = provenFund(days, {
    parts: (parts) =>
      parts.map((part) => {
        const [cents, ...others] = part.sums;
        const sums: Sums = [Math.floor(cents / 2), ...others];
        return { ...part, sums, leaf: leafNode(sha256, sums, part.commitment) };
      }),
  });
  expect((await check(half.proof(0, 0))).refused).toBe('the parts do not add up to the entry');
  const less = provenFund(days, { head: (head) => ({ ...head, sums: [1000, 0, 480_000, 0] }) });
  expect((await check(less.proof(0, 0))).refused).toBe('a part is not in the tree');
  const smaller = provenFund([...days, [entryOf(3, 500)]], {
    head: (head) => (head.size > 16 ? { ...head, sums: [1000, 0, 480_000, 0] } : head),
  });
  expect((await check(smaller.chain())).refused).toBe('a later tree does not hold the one before');
});

test('a new key that the old one did not sign is found, and so is any change of a file that says so', async () => {
  const days = [[entryOf(1, 2500), entryOf(2, 1000)], [entryOf(3, 500)], [entryOf(4, -500)]];
  const fund = provenFund(days, { newKeyFrom: 2 });
  expect((await check(fund.keys())).refused).toBeUndefined();
  expect((await check(fund.keys(), fund.heads[0]?.inFile.key)).refused).toBeUndefined();
  expect((await check(fund.keys(), fund.heads[2]?.inFile.key)).refused).toBe('a head has another key');
  expect((await check(fund.chain())).refused).toBe('two heads are not of one chain');
  const same = provenFund(days).heads[2]?.inFile;
  const [change] = fund.keys().changes;
  expect((await check({ ...fund.keys(), changes: [{ ...change, to: same }] })).refused).toBeDefined();
  for (let some = 0; some < RUNS; some += 1) {
    const file: unknown = JSON.parse(JSON.stringify(fund.keys()));
    const how = tamper(file, some * 7919);
    if (how !== undefined) expect((await check(file)).refused, how).toBeDefined();
  }
});

test('the key that a donor expects is asked for', async () => {
  const fund = provenFund([[entryOf(1, 2500)]]);
  const other = provenFund([[entryOf(1, 2500)]], { key: sha256(Uint8Array.of(7)) });
  const key = fund.heads[0]?.inFile.key ?? '';
  expect((await check(fund.chain(), key)).refused).toBeUndefined();
  expect((await check(other.chain(), key)).refused).toBe('a head has another key');
});

test('a refund adds to what went out, and takes nothing from what came in', () => {
  const { heads } = provenFund([[entryOf(1, 2500), entryOf(2, 1000)], [entryOf(3, -1000)]]);
  expect(heads.map(({ inFile }) => inFile.sums)).toEqual([
    ['3500', '0', '1680000', '0'],
    ['3500', '1000', '1680000', '480000'],
  ]);
});

test('the command says of each file whether it is accepted, and whether a proof’s head is in the chain', async () => {
  const folder = await scratchFolder('proofs');
  const fund = provenFund([[entryOf(1, 2500), entryOf(2, 1000)], [entryOf(3, 500)]]);
  const other = provenFund([[entryOf(1, 2500)]], { key: sha256(Uint8Array.of(7)) });
  const files = { 'proof.json': fund.proof(1, 1), 'heads.json': fund.chain(), 'other.json': other.proof(0, 0) };
  for (const [name, file] of Object.entries(files)) await writeFile(path.join(folder, name), JSON.stringify(file));
  const good = await run(process.execPath, [VERIFIER, 'proof.json', 'heads.json'], { cwd: folder });
  expect(good.stdout).toBe('proof.json: accepted\nheads.json: accepted\n');
  const bad = run(process.execPath, [VERIFIER, 'other.json', 'heads.json'], { cwd: folder });
  await expect(bad).rejects.toMatchObject({
    code: 1,
    stdout: 'other.json: refused: its head is in no chain\nheads.json: accepted\n',
  });
});

test('the verifier needs no other file', async () => {
  const source = await readFile(VERIFIER, 'utf8');
  expect(source.match(/\bfrom '|import\('[^']*'\)|require\(/g)).toEqual(["import('node:fs/promises')"]);
  expect(source.length).toBeLessThan(15_000);
});

test('the test vectors are those of test/proofs/vectors.gen.json, and are accepted or refused for their reason', async () => {
  const vectors = makeVectors();
  await expect(`${JSON.stringify(vectors, null, 2)}\n`).toMatchFileSnapshot('vectors.gen.json');
  const [proof] = vectors.accepted;
  expect((await check(proof)).heads?.[0]?.id).toBe(vectors.intermediate.headHash);
  for (const file of vectors.accepted) expect((await check(file)).refused).toBeUndefined();
  for (const { reason, file } of vectors.refused) expect((await check(file)).refused).toBe(reason);
});

test.skipIf(!hasPython)('a second verifier, written from docs/proof.md, accepts and refuses the same', async () => {
  const folder = await scratchFolder('proofs');
  const vectors = makeVectors();
  const files = [
    ...proofFiles(FILES, 2026),
    ...vectors.accepted.map((file) => ({ text: JSON.stringify(file), isGood: true, how: 'a vector' })),
    ...vectors.refused.map(({ file, reason }) => ({ text: JSON.stringify(file), isGood: false, how: reason })),
  ];
  const names = files.map((_, at) => `${at}.json`);
  for (const [at, { text }] of files.entries()) await writeFile(path.join(folder, names[at] ?? ''), text);
  const { stdout } = await run('python3', [SECOND_VERIFIER, ...names], { cwd: folder, maxBuffer: 10 ** 7 }).catch(
    (err: { stdout: string }) => err,
  );
  const second = stdout.trim().split('\n');
  expect(second.length).toBe(files.length);
  let refused = 0;
  for (const [at, { text, isGood, how }] of files.entries()) {
    const first = await verifyFile(new TextEncoder().encode(text));
    if (first.refused !== undefined) refused += 1;
    const isAccepted = first.refused === undefined;
    // Which of several reasons is named depends on what is looked at first.
    expect([at, how, second[at]?.startsWith(`${at}.json: accepted`)]).toEqual([at, how, isAccepted]);
    expect([at, how, isAccepted]).toEqual([at, how, isGood]);
  }
  console.log(`${files.length} files, ${refused} refused by both, the others accepted by both`);
});
