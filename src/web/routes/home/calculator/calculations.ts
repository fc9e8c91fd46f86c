import { DEFAULT_MPG, type VersionedFactors } from '#domain/emissions.ts';
import type { Calculation } from '#domain/formula.ts';
import { parseNumber } from '#web/ui/parse-number.ts';
import { estimateRow, type GroupRow } from '../group/group-estimate.ts';
import { estimateTab, type TabInput } from './calculator-input.ts';
import type { HomeForm } from './lazy-estimates.ts';

/** A calculator's result; undefined until its fields are valid. */
export function toCalculation(input: TabInput, factorSet?: VersionedFactors): Calculation | undefined {
  if (!estimateTab(input, factorSet).item) return undefined;
  const { tab, fields } = input;
  if (tab === 'quick') return { kind: 'quick', ...fields };
  if (tab === 'home') return { kind: 'home', energy: parseEnergy(fields) };
  const { trip, roundtrip } = fields;
  const miles = parseAmount(trip.miles);
  return tab === 'air'
    ? { kind: 'air', travelers: parseAmount(fields.travelers), miles, roundtrip }
    : { kind: 'car', miles, mpg: parseAmount(fields.mpg) || DEFAULT_MPG, roundtrip };
}

/** Result of a row of a group estimate; undefined while it is zero or incomplete. */
export function toRowCalculation(row: GroupRow, factorSet?: VersionedFactors): Calculation | undefined {
  if (!estimateRow(row, factorSet).item) return undefined;
  const { type, roundtrip } = row;
  const [count, miles] = [parseAmount(row.count), parseAmount(row.miles)];
  if (type === 'air') return { kind: 'air', travelers: count, miles, roundtrip };
  if (type === 'car')
    return { kind: 'car', miles, mpg: parseAmount(row.mpg) || DEFAULT_MPG, roundtrip, repetitions: count };
  return { kind: 'home', energy: parseEnergy(row), repetitions: count };
}

function parseEnergy({ propane, electricity, gas, oil }: HomeForm) {
  return {
    propane: parseAmount(propane),
    electricity: parseAmount(electricity),
    gas: parseAmount(gas),
    oil: parseAmount(oil),
  };
}

/** Parses an amount; other text counts as 0 (§5). */
function parseAmount(text: string): number {
  const value = parseNumber(text);
  return typeof value === 'number' && value > 0 ? value : 0;
}
