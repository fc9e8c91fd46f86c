import {
  type CartItem,
  completeItem,
  MAX_CHECKOUT,
  RECURRENCES,
  type Recurring,
  type SubmittedItem,
  withRecurrence,
} from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { toChargedCents } from '#domain/money.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';

/** An item in the cart. Its id stays valid when another tab removes items. */
export type CartLine = {
  readonly id: number;
  readonly item: CartItem;
  /**
   * The calculator's fields, such as the cities of a trip. They never leave the browser: the server stores pounds and
   * dollars, not who travels where. Untrusted.
   */
  readonly input?: unknown;
};

export const NO_LINES: readonly CartLine[] = [];

/** The version of the stored format. Carts in another format are ignored. */
const FORMAT = 2;

export function addItems(lines: readonly CartLine[], ...items: readonly CartItem[]): CartLine[] {
  const firstId = nextId(lines);
  return [...lines, ...items.map((item, index) => ({ id: firstId + index, item }))];
}

/** Replaces the line with this id, or adds one. A replaced offset keeps its recurrence. */
export function putItem(lines: readonly CartLine[], item: CartItem, input: unknown, id?: number): CartLine[] {
  if (!lines.some((line) => line.id === id)) return [...lines, { id: nextId(lines), item, input }];
  return lines.map((line) => {
    if (line.id !== id) return line;
    const { recurring, recurringInterval } = line.item;
    return { id, item: item.type === 'offset' ? withRecurrence(item, recurring, recurringInterval) : item, input };
  });
}

/** Undoes a removal. The line gets a new id if another line now has its id. */
export function insertLine(lines: readonly CartLine[], line: CartLine, index: number): CartLine[] {
  const isTaken = lines.some(({ id }) => id === line.id);
  return lines.toSpliced(index, 0, isTaken ? { ...line, id: nextId(lines) } : line);
}

export function removeLines(lines: readonly CartLine[], ...ids: readonly number[]): CartLine[] {
  return lines.filter(({ id }) => !ids.includes(id));
}

/** @throws Failure interval-out-of-range or yearly-interval, from domain/cart */
export function setRecurrence(
  lines: readonly CartLine[],
  id: number,
  recurring: Recurring,
  interval?: number,
): CartLine[] {
  return lines.map((line) =>
    line.id === id ? { ...line, item: withRecurrence(line.item, recurring, interval) } : line,
  );
}

/** The stored form of a cart. */
export function serializeCart(lines: readonly CartLine[]): string {
  return JSON.stringify({ format: FORMAT, lines });
}

/**
 * Parses a stored cart. The text is untrusted: unreadable text becomes an empty cart, and invalid items are dropped. An
 * offset may have an old price; the cart shows the current one.
 */
export function parseCart(text: string | null): readonly CartLine[] {
  const storedCart = parseJson(text);
  if (!isRecord(storedCart) || storedCart.format !== FORMAT || !Array.isArray(storedCart.lines)) return NO_LINES;
  const usedIds = new Set<number>();
  const lines: CartLine[] = [];
  for (const line of storedCart.lines) {
    const item = isRecord(line) ? parseValidItem(line.item) : undefined;
    if (!isRecord(line) || !item || !isNewId(line.id, usedIds)) continue;
    usedIds.add(line.id);
    lines.push({ id: line.id, item, ...(line.input === undefined ? {} : { input: line.input }) });
  }
  return lines.length > 0 ? lines : NO_LINES;
}

/** Validates and completes an item; undefined if it is invalid. The price may be outdated. */
export function parseValidItem(value: unknown): CartItem | undefined {
  const submittedItem = parseSubmittedItem(value);
  if (!submittedItem) return undefined;
  try {
    const item = completeItem(submittedItem, null);
    return item.cost > 0 && toChargedCents(item.cost) <= MAX_CHECKOUT ? item : undefined;
  } catch {
    return undefined;
  }
}

function parseSubmittedItem(value: unknown): SubmittedItem | undefined {
  if (!isRecord(value) || typeof value.cost !== 'number') return undefined;
  const { type, cost, carbon, recurringInterval, factorsVersion } = value;
  if (type !== 'donation' && type !== 'offset') return undefined;
  const offsetType = OFFSET_TYPES.find((candidate) => candidate === value.offsetType);
  const recurring = RECURRENCES.find((candidate) => candidate === value.recurring);
  return {
    type,
    cost,
    ...(typeof carbon === 'number' ? { carbon } : {}),
    ...(offsetType ? { offsetType } : {}),
    ...(recurring ? { recurring } : {}),
    ...(typeof recurringInterval === 'number' ? { recurringInterval } : {}),
    ...(typeof factorsVersion === 'string' ? { factorsVersion } : {}),
  };
}

function nextId(lines: readonly CartLine[]): number {
  return Math.max(0, ...lines.map(({ id }) => id)) + 1;
}

function isNewId(id: unknown, usedIds: ReadonlySet<number>): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && !usedIds.has(id);
}
