import { expect, test } from 'vitest';
import { newId } from '#server/db/new-id.ts';
import { generateRecoveryCodes, hashRecoveryCode } from '#server/features/second-factors/recovery-codes.ts';
import { generateSecret } from '#server/features/sessions/secrets.ts';

// @asvs 6.5.3 6.5.4 7.2.3 11.2.3 11.5.1
test.each([
  ['an id', newId, 128],
  ['a secret', generateSecret, 192],
] as const)('%s has enough random bits, and no two are the same', (_what, generate, bits) => {
  const values = Array.from({ length: 2000 }, generate);
  expect(new Set(values).size).toBe(values.length);
  const bytes = values.map((value) => Buffer.from(value, 'base64url'));
  expect(bytes.map(({ length }) => 8 * length)).toEqual(values.map(() => bits));
  // Each bit is set about half of the time, within six standard deviations.
  for (let bit = 1; bit < bits; bit += 1) {
    const setCount = bytes.filter((value) => ((value[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1).length;
    expect(Math.abs(setCount - values.length / 2), `bit ${bit}`).toBeLessThan(6 * Math.sqrt(values.length / 4));
  }
});

// @asvs 6.5.2
test('a recovery code has 120 random bits, so a plain hash can be stored', () => {
  const codes = Array.from({ length: 100 }, generateRecoveryCodes).flatMap(({ codes }) => codes);
  expect(new Set(codes).size).toBe(1000);
  for (const code of codes) expect(code).toMatch(/^(?:[a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/);
  // Each position can be any of 32 characters (five bits).
  for (let i = 0; i < 29; i += 1) {
    const characters = new Set(codes.map((code) => code[i]));
    expect([i, characters.size]).toEqual([i, i % 5 === 4 ? 1 : 32]);
  }
  const [first = '', second = ''] = codes;
  expect(hashRecoveryCode(first.toUpperCase().replaceAll('-', ' '))).toBe(hashRecoveryCode(first));
  expect(hashRecoveryCode(second)).not.toBe(hashRecoveryCode(first));
});
