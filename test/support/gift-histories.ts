import fc from 'fast-check';
import type { Fact } from '#domain/allocation.ts';

export const smallNumber = fc.integer({ min: 1, max: 40 });
const pounds = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 }));
const anyFact = fc.record({
  kind: fc.constantFrom<Fact['kind']>('gift', 'gift', 'gift', 'return', 'grant', 'grant', 'grant-reversal'),
  timeMs: fc.integer({ min: 0, max: 30 }),
  cents: smallNumber,
  pounds,
  subjectIndex: fc.nat(),
  failed: fc.boolean(),
});

/**
 * Random gifts and grants. Returns and reversed grant payments belong to a gift or grant in the same history, and some
 * returns fail.
 */
export const giftHistories: fc.Arbitrary<Fact[]> = fc.array(anyFact, { maxLength: 40 }).map((records) => {
  const facts: Fact[] = [];
  const pickSubject = (kind: 'gift' | 'grant', subjectIndex: number) => {
    const candidates = facts.filter((fact) => fact.kind === kind);
    return candidates[subjectIndex % Math.max(candidates.length, 1)];
  };
  for (const [index, { kind, timeMs, cents, pounds: weight, subjectIndex, failed }] of records.entries()) {
    const id = `${(index * 7) % 41}`;
    if (kind === 'gift' || kind === 'grant') facts.push({ kind, id, timeMs, cents, pounds: weight });
    const subject =
      kind === 'return' || kind === 'grant-reversal'
        ? pickSubject(kind === 'return' ? 'gift' : 'grant', subjectIndex)
        : undefined;
    if (!subject) continue;
    if (kind === 'grant-reversal') facts.push({ kind, id, timeMs, grantId: subject.id });
    else facts.push({ kind: 'return', id, timeMs, giftId: subject.id, cents, pounds: weight });
    if (failed && kind === 'return')
      facts.push({ kind, id: `${id}-failed`, timeMs: timeMs + 3, giftId: subject.id, cents: -cents, pounds: -weight });
  }
  return facts;
});
