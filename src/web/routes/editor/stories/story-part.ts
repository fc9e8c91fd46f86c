/** A part of a list that was asked for, and where it goes on. */
export type Part<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | undefined };

/** A list as far as it is shown. */
export type Shown<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

type Listed = { readonly id: string; readonly createdTimestamp: string };
export type ListOrder = 'asc' | 'desc';

/** Whether a story that was changed is put into a list, only kept in it where it stands, or taken out of it. */
export type Belonging = 'in' | 'if-there' | 'out';

export function shownOf<Item>({ items, nextCursor }: Part<Item>): Shown<Item> {
  return { items, hasMore: nextCursor !== undefined };
}

/** The list with the part that came after what is shown. */
export function withPart<Item extends Listed>(shown: Shown<Item>, { items, nextCursor }: Part<Item>): Shown<Item> {
  const known = new Set(shown.items.map(({ id }) => id));
  return { items: [...shown.items, ...items.filter(({ id }) => !known.has(id))], hasMore: nextCursor !== undefined };
}

export function withoutItem<Item extends Listed>(shown: Shown<Item>, id: string): Shown<Item> {
  return { ...shown, items: shown.items.filter((item) => item.id !== id) };
}

/**
 * The list after a story was changed. One that comes into it stands where the order has it; beyond what is shown it
 * will come with "Load more".
 */
export function withItem<Item extends Listed>(
  shown: Shown<Item>,
  item: Item,
  belongs: Belonging,
  order: ListOrder,
): Shown<Item> {
  if (belongs === 'out') return withoutItem(shown, item.id);
  if (shown.items.some(({ id }) => id === item.id)) {
    return { ...shown, items: shown.items.map((each) => (each.id === item.id ? item : each)) };
  }
  if (belongs === 'if-there') return shown;
  const at = shown.items.findIndex((each) => comesBefore(item, each, order));
  if (at === -1) return shown.hasMore ? shown : { ...shown, items: [...shown.items, item] };
  return { ...shown, items: shown.items.toSpliced(at, 0, item) };
}

/** By time, and of the same time by id, as the server has it. */
function comesBefore(one: Listed, other: Listed, order: ListOrder): boolean {
  const isOlder =
    one.createdTimestamp === other.createdTimestamp ? one.id < other.id : one.createdTimestamp < other.createdTimestamp;
  return order === 'asc' ? isOlder : !isOlder;
}
