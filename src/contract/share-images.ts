/** The pictures that go along where a page is shared, drawn for each organization and each of its stories. */
export const CARDS_BASE = '/media/cards';

/** In pixels: the size that those who show such pictures ask for. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** The photo of a story on its card. In pixels. */
export const CARD_PHOTO = { width: 440, height: 502 } as const;

/** The three kinds of stories, as they are called in addresses. */
export const CARD_KINDS = ['offsetters', 'awardees', 'installers'] as const;
export type CardKind = (typeof CARD_KINDS)[number];

export function orgCardPath(orgid: string): string {
  return `${CARDS_BASE}/${encodeURIComponent(orgid)}.png`;
}

export function storyCardPath(orgid: string, kind: CardKind, id: string): string {
  return `${CARDS_BASE}/${encodeURIComponent(orgid)}/${kind}/${encodeURIComponent(id)}.png`;
}
