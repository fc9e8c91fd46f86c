import type { Org } from '#contract/schemas/orgs.ts';
import { cityOf } from '#web/api/city.ts';
import type { ApiClient } from '#web/api/client.ts';
import { parseInput, type TabInput } from './calculator-input.ts';
import { AIR_START, NO_TRIP } from './estimates.ts';
import type { MoreFields } from './more-calculators.tsx';
import { CAR_START } from './more-estimates.ts';
import type { AirFields } from './trip-calculator.tsx';

/** The fields of the calculators that a visitor has used. */
export type Entries = { readonly air?: AirFields | undefined; readonly more: Partial<MoreFields> };

/** The fields at first: those typed before a reload, or a trip from the organization's city. */
export async function firstEntries(api: ApiClient, { id, place }: Pick<Org, 'id' | 'place'>): Promise<Entries> {
  const saved = readEntries(id);
  if (saved || place === '') return saved ?? { more: {} };
  const [found] = await api.call('searchCities', { query: { search: place } });
  if (!found) return { more: {} };
  const trip = { ...NO_TRIP, from: cityOf(found) };
  return { air: { ...AIR_START, trip }, more: { car: { ...CAR_START, trip } } };
}

const keyOf = (orgId: string) => `calculators:${orgId}`;

/** Keeps what was typed until the browser's tab is closed. */
export function saveEntries(orgId: string, { air, more }: Entries): void {
  const inputs = [...(air ? [{ tab: 'air', fields: air }] : []), ...inputsOf(more)];
  try {
    window.sessionStorage.setItem(keyOf(orgId), JSON.stringify(inputs));
  } catch {
    // Storage is disabled or full. Then a reload empties the fields.
  }
}

function inputsOf(more: Partial<MoreFields>) {
  return Object.entries(more).map(([tab, fields]) => ({ tab, fields }));
}

/** The stored text is untrusted. */
function readEntries(orgId: string): Entries | undefined {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(keyOf(orgId)) ?? '');
    return Array.isArray(stored) ? entriesOf(stored) : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(stored: readonly unknown[]): Entries {
  const inputs = stored
    .map(parseInput)
    .filter((input): input is TabInput => input !== undefined && input.tab !== 'group');
  const air = inputs.find((input) => input.tab === 'air')?.fields;
  const more = Object.fromEntries(inputs.filter(({ tab }) => tab !== 'air').map(({ tab, fields }) => [tab, fields]));
  return { air, more };
}
