import { parseJson } from '#web/browser/parse-json.ts';
import { type LazyFields, parseInput, type TabInput } from './calculator-input.ts';
import type { AirFields } from './estimates.ts';

/** The fields of the calculators that a visitor has used. */
export type Entries = { readonly air?: AirFields | undefined; readonly lazyFields: Partial<LazyFields> };

export function serializeEntries({ air, lazyFields }: Entries): string {
  const inputs = Object.entries({ ...lazyFields, air }).map(([tab, fields]) => ({ tab, fields }));
  return JSON.stringify(inputs);
}

/** The stored text is untrusted. */
export function parseEntries(text: string): Entries {
  const storedInputs = parseJson(text);
  const inputs = (Array.isArray(storedInputs) ? storedInputs : [])
    .map(parseInput)
    .filter((input): input is TabInput => input !== undefined && input.tab !== 'group');
  const air = inputs.find((input) => input.tab === 'air')?.fields;
  const lazyFields = Object.fromEntries(
    inputs.filter(({ tab }) => tab !== 'air').map(({ tab, fields }) => [tab, fields]),
  );
  return { air, lazyFields };
}
