import { DEFAULT_MPG, type VersionedFactors } from '#domain/emissions.ts';
import type { Calculation } from '#domain/formula.ts';
import { parseNumber } from '#web/ui/parse-number.ts';
import { type GroupRow, rowEstimate } from '../group/group-estimate.ts';
import { estimateFor, type TabInput } from './calculator-input.ts';
import type { HomeForm } from './more-estimates.ts';

/** A calculator's result; undefined until its fields are valid. */
export function calculationOf(input: TabInput, used?: VersionedFactors): Calculation | undefined {
  if (!estimateFor(input, used).item) return undefined;
  const { tab, fields } = input;
  if (tab === 'quick') return { kind: 'quick', ...fields };
  if (tab === 'home') return { kind: 'home', energy: energyOf(fields) };
  const { trip, roundtrip } = fields;
  const miles = numberOf(trip.miles);
  return tab === 'air'
    ? { kind: 'air', travelers: numberOf(fields.travelers), miles, roundtrip }
    : { kind: 'car', miles, mpg: numberOf(fields.mpg) || DEFAULT_MPG, roundtrip };
}

/** Result of a row of a group estimate; undefined while it is zero or incomplete. */
export function calculationOfRow(row: GroupRow, used?: VersionedFactors): Calculation | undefined {
  if (!rowEstimate(row, used).item) return undefined;
  const { type, roundtrip } = row;
  const [count, miles] = [numberOf(row.count), numberOf(row.miles)];
  if (type === 'air') return { kind: 'air', travelers: count, miles, roundtrip };
  if (type === 'car')
    return { kind: 'car', miles, mpg: numberOf(row.mpg) || DEFAULT_MPG, roundtrip, repetitions: count };
  return { kind: 'home', energy: energyOf(row), repetitions: count };
}

function energyOf({ propane, electricity, gas, oil }: HomeForm) {
  return {
    propane: numberOf(propane),
    electricity: numberOf(electricity),
    gas: numberOf(gas),
    oil: numberOf(oil),
  };
}

/** Parses an amount; other text counts as 0 (§5). */
function numberOf(text: string): number {
  const value = parseNumber(text);
  return typeof value === 'number' && value > 0 ? value : 0;
}
