import {
  type CartItem,
  type ClaimedItem,
  completeItem,
  MAXIMUM_CHECKOUT,
  type OffsetType,
  type Recurring,
  withRecurrence,
} from '#domain/cart.ts';
import { chargeOf } from '#domain/money.ts';

/** An item in the cart, with a number of its own, by which it is removed even if another tab removed one before it. */
export type CartLine = { readonly id: number; readonly item: CartItem };

export const NO_LINES: readonly CartLine[] = [];

/** The form that the browser keeps a cart in. A cart of another form is not read. */
const FORM = 1;

const OFFSET_TYPES: readonly OffsetType[] = ['air', 'car', 'home'];
const RECURRINGS: readonly Recurring[] = ['no', 'month', 'year'];

export function added(lines: readonly CartLine[], ...items: readonly CartItem[]): CartLine[] {
  const next = Math.max(0, ...lines.map(({ id }) => id)) + 1;
  return [...lines, ...items.map((item, index) => ({ id: next + index, item }))];
}

export function removed(lines: readonly CartLine[], ...ids: readonly number[]): CartLine[] {
  return lines.filter(({ id }) => !ids.includes(id));
}

/** @throws Failure interval-out-of-range, yearly-interval, of domain/cart */
export function recurring(lines: readonly CartLine[], id: number, how: Recurring, interval?: number): CartLine[] {
  return lines.map((line) => (line.id === id ? { id, item: withRecurrence(line.item, how, interval) } : line));
}

/** The text that keeps a cart. */
export function cartText(lines: readonly CartLine[]): string {
  return JSON.stringify({ form: FORM, lines });
}

/**
 * The cart that a text keeps. The text may be anything: what cannot be read is no cart, and an item that no longer
 * adds up (a price has changed since, somebody wrote into the storage) is left out.
 */
export function cartOfText(text: string | null): readonly CartLine[] {
  const kept = parsed(text ?? '');
  if (!isRecord(kept) || kept.form !== FORM || !Array.isArray(kept.lines)) return NO_LINES;
  const seen = new Set<number>();
  const lines: CartLine[] = [];
  for (const line of kept.lines) {
    const item = isRecord(line) ? validItem(line.item) : undefined;
    if (!isRecord(line) || !item || !isNewId(line.id, seen)) continue;
    seen.add(line.id);
    lines.push({ id: line.id, item });
  }
  return lines.length > 0 ? lines : NO_LINES;
}

/** The item that somebody claims, completed by the rules of the cart; nothing when it breaks one of them. */
export function validItem(value: unknown): CartItem | undefined {
  const claimed = claimedItem(value);
  if (!claimed) return undefined;
  try {
    const item = completeItem(claimed);
    return chargeOf(item.cost) <= MAXIMUM_CHECKOUT ? item : undefined;
  } catch {
    return undefined;
  }
}

function claimedItem(value: unknown): ClaimedItem | undefined {
  if (!isRecord(value) || typeof value.cost !== 'number') return undefined;
  const { type, cost, carbon, recurringInterval } = value;
  if (type !== 'donation' && type !== 'offset') return undefined;
  const offsetType = OFFSET_TYPES.find((known) => known === value.offsetType);
  const how = RECURRINGS.find((known) => known === value.recurring);
  return {
    type,
    cost,
    ...(typeof carbon === 'number' ? { carbon } : {}),
    ...(offsetType ? { offsetType } : {}),
    ...(how ? { recurring: how } : {}),
    ...(typeof recurringInterval === 'number' ? { recurringInterval } : {}),
  };
}

function isNewId(id: unknown, seen: ReadonlySet<number>): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && !seen.has(id);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
