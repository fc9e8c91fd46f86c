/** What the provider says of a recurring gift. unknown: it has not answered yet. */
export const GIFT_STATUSES = ['unknown', 'active', 'past_due', 'paused', 'canceled'] as const;
export type GiftStatus = (typeof GIFT_STATUSES)[number];

export const GIFT_UNITS = ['month', 'year'] as const;
/** How often a gift is charged. */
export type GiftInterval = { readonly unit: (typeof GIFT_UNITS)[number]; readonly count: number };

/** "every month", "every 3 months", "every year" */
export function everyText({ unit, count }: GiftInterval): string {
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
