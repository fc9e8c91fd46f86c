import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import type { ProvenEntry } from '#domain/gift-proof.ts';
import { provenFund, sha256 } from '#test/support/proven-fund.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const { verifyFile } = (await import(fileOf('scripts/verify-gift.mjs'))) as { verifyFile: unknown };
const { showProof } = (await import(fileOf('src/server/features/proofs/show-proof.mjs'))) as {
  showProof(this: void, verify: unknown, told: object): Promise<void>;
};

/** As much of a document as the page needs. */
class FakeElement {
  readonly children: (FakeElement | string)[] = [];
  className = '';
  readonly attributes: Record<string, string> = {};
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(...children: readonly (FakeElement | string)[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: readonly (FakeElement | string)[]): void {
    this.children.splice(0, Infinity, ...children);
  }
  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join(' ');
  }
}

/** Each word is its own name, with what is filled in. */
const words: unknown = new Proxy(
  {},
  {
    get: (_, name) =>
      ['shows', 'hides', 'labels', 'reasons'].includes(String(name)) ? words : `${String(name)} {amount}`,
  },
);

const entry: ProvenEntry = {
  ...{ kind: 'payment', fact: 'checkout-session:cs_1', receipt: '2026-1', date: '2026-01-01' },
  ...{ cents: 2500, pounds: 1_200_000, salt: sha256(Uint8Array.of(1)) },
};
const fund = provenFund([[entry], [{ ...entry, fact: 'check:2', receipt: '2026-2' }]]);
const proof = fund.proof(0, 1);
const told = {
  organization: 'springfield',
  key: proof.head.key,
  fund: 'Springfield',
  locale: 'en-US',
  links: {},
  words,
};

afterEach(() => vi.unstubAllGlobals());

/** @returns what a document with this file says */
async function shown(file: unknown, change: object = {}): Promise<string> {
  const body = new FakeElement();
  const data = { textContent: JSON.stringify(file) };
  vi.stubGlobal('document', { body, getElementById: () => data, createElement: () => new FakeElement() });
  vi.stubGlobal('location', { protocol: 'file:', href: 'file:///proof.html' });
  body.append('This proof holds, whatever the check says.');
  await showProof(verifyFile, { ...told, ...change });
  return body.textContent;
}

test('a proof that holds says what is proven, and nothing of what was in the document before', async () => {
  const text = await shown(proof);
  expect(text).toContain('counted $25.00');
  expect(text).toContain('120');
  expect(text).toMatch(/\bsigned /);
  expect(text).not.toMatch(/whatever|refused|unsigned/);
});

test.each([
  ['an amount', { ...proof, entry: { ...proof.entry, cents: '250000' } }, {}, 'tree'],
  ['the signature', { ...proof, head: { ...proof.head, signature: '0'.repeat(128) } }, {}, 'signature'],
  ['the key', proof, { key: '0'.repeat(64) }, 'key'],
  ['the organization', proof, { organization: 'shelbyville' }, 'form'],
  ['another kind of file', fund.chain(), {}, 'form'],
  ['no object', 'x', {}, 'form'],
])('what was changed (%s) is refused, and none of it is shown', async (_what, file, change, reason) => {
  const text = await shown(file, change);
  expect(text).toContain('refused');
  expect(text).toContain(reason);
  expect(text).not.toMatch(/holds|counted|receipt|\$2,?500/);
});

test('where the browser lacks Ed25519, that is said, and all else is still checked', async () => {
  const lacking = async () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  vi.spyOn(crypto.subtle, 'importKey').mockImplementation(lacking);
  const text = await shown(proof);
  expect(text).toContain('countedUnsigned $25.00');
  expect(text).not.toMatch(/\b(?:holds|signed|counted) /);
  expect(await shown({ ...proof, entry: { ...proof.entry, cents: '250000' } })).toContain('refused');
  vi.restoreAllMocks();
});

test('where the browser can hash nothing, nothing is claimed', async () => {
  vi.stubGlobal('crypto', {});
  const text = await shown(proof);
  expect(text).toContain('unchecked');
  expect(text).not.toMatch(/holds|counted|\$25/);
});
