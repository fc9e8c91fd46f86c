import {
  type CartItem,
  type ClaimedItem,
  completeItem,
  MAXIMUM_CHECKOUT,
  type Recurring,
  withRecurrence,
} from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { chargeOf } from '#domain/money.ts';

/** An item in the cart. Its id stays valid when another tab removes other items. */
export type CartLine = {
  readonly id: number;
  readonly item: CartItem;
  /**
   * What was entered for it, such as the cities of a trip. It stays in the browser: the fund and its books learn pounds
   * and dollars, not who travels where. As stored, so not to be trusted.
   */
  readonly entered?: unknown;
};

export const NO_LINES: readonly CartLine[] = [];

/** The version of the stored format. Carts in another format are ignored. */
const FORM = 1;

const RECURRINGS: readonly Recurring[] = ['no', 'month', 'year'];

export function added(lines: readonly CartLine[], ...items: readonly CartItem[]): CartLine[] {
  const next = nextId(lines);
  return [...lines, ...items.map((item, index) => ({ id: next + index, item }))];
}

/** With an item and what was entered for it, in the place of a line or at the end. An offset stays as often as it was. */
export function put(lines: readonly CartLine[], item: CartItem, entered: unknown, id?: number): CartLine[] {
  if (!lines.some((line) => line.id === id)) return [...lines, { id: nextId(lines), item, entered }];
  return lines.map((line) => {
    if (line.id !== id) return line;
    const { recurring: how, recurringInterval } = line.item;
    return { id, item: item.type === 'offset' ? withRecurrence(item, how, recurringInterval) : item, entered };
  });
}

/** With a removed line back in its place. Its id may have been given to another one since. */
export function placed(lines: readonly CartLine[], line: CartLine, index: number): CartLine[] {
  const isTaken = lines.some(({ id }) => id === line.id);
  return lines.toSpliced(index, 0, isTaken ? { ...line, id: nextId(lines) } : line);
}

export function removed(lines: readonly CartLine[], ...ids: readonly number[]): CartLine[] {
  return lines.filter(({ id }) => !ids.includes(id));
}

/** @throws Failure interval-out-of-range, yearly-interval, of domain/cart */
export function recurring(lines: readonly CartLine[], id: number, how: Recurring, interval?: number): CartLine[] {
  return lines.map((line) => (line.id === id ? { ...line, item: withRecurrence(line.item, how, interval) } : line));
}

/** The text under which the browser stores a cart. */
export function cartText(lines: readonly CartLine[]): string {
  return JSON.stringify({ form: FORM, lines });
}

/**
 * The cart in a stored text. The text is not trusted: an unreadable one is an empty cart, and items that break a rule of
 * the cart are dropped. The price of an offset may be one of before: the cart shows today's.
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
    lines.push({ id: line.id, item, ...(line.entered === undefined ? {} : { entered: line.entered }) });
  }
  return lines.length > 0 ? lines : NO_LINES;
}

/** The item, completed by the rules of the cart; undefined if it breaks one of them. Its price may be one of before. */
export function validItem(value: unknown): CartItem | undefined {
  const claimed = claimedItem(value);
  if (!claimed) return undefined;
  try {
    const item = completeItem(claimed, null);
    return item.cost > 0 && chargeOf(item.cost) <= MAXIMUM_CHECKOUT ? item : undefined;
  } catch {
    return undefined;
  }
}

function claimedItem(value: unknown): ClaimedItem | undefined {
  if (!isRecord(value) || typeof value.cost !== 'number') return undefined;
  const { type, cost, carbon, recurringInterval, factorsVersion } = value;
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
    ...(typeof factorsVersion === 'string' ? { factorsVersion } : {}),
  };
}

function nextId(lines: readonly CartLine[]): number {
  return Math.max(0, ...lines.map(({ id }) => id)) + 1;
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
