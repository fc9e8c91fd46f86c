import type { ReactNode } from 'react';
import styles from './drawings.module.css';
import { createSeededRandom, hashToSeed } from './seeded-random.ts';

type House = {
  readonly x: number;
  readonly columns: number;
  readonly stories: number;
  readonly roof: Roof;
  readonly color: string;
};
/** A window's upper-left corner. */
export type StreetWindow = { readonly x: number; readonly y: number };
export type StreetBlock = {
  readonly houses: readonly House[];
  /** Windows that represent grants. */
  readonly litWindows: readonly StreetWindow[];
  /** Windows that represent gifts. */
  readonly candles: readonly StreetWindow[];
  readonly darkWindows: readonly StreetWindow[];
};
export type Street = { readonly blocks: readonly StreetBlock[]; readonly grantsPerWindow: number };

/** Window columns per house. Both blocks have the same width. */
const BLOCKS: readonly (readonly number[])[] = [
  [2, 3, 3, 3, 2, 3, 2],
  [3, 2, 3, 3, 2, 2, 3],
];
const WALLS: readonly string[] = ['#124049', '#17505a', '#0f3842', '#1b5a60', '#14474f'];
const ROOFS = ['gable', 'flat', 'dormer'] as const;
type Roof = (typeof ROOFS)[number];
export const LAMP = '#ffc24b';
const COLUMN_WIDTH = 26;
const STORY_HEIGHT = 34;

const GROUND_Y = 190;

const BLOCK_WIDTH = BLOCKS[0]?.reduce((sum, columns) => sum + houseWidth({ columns }), 0) ?? 0;

function houseWidth({ columns }: Pick<House, 'columns'>): number {
  return columns * COLUMN_WIDTH + 18;
}

function houseHeight({ stories }: Pick<House, 'stories'>): number {
  return stories * STORY_HEIGHT + 22;
}

/** The checkout of a gift to show as a candle; null for a check. */
type GiftCheckout = string | null;

/**
 * A street with one lit window per grant, or per `grantsPerWindow` grants if there are more grants than windows, and
 * candles in other windows. The houses never change, and neither does the window of a gift's candle. Gifts may share a
 * window.
 */
export function buildStreet(grantCount: number, gifts: readonly GiftCheckout[] = []): Street {
  const grants = Math.max(0, Math.round(grantCount));
  const random = createSeededRandom(41);
  const blocks = BLOCKS.map((columns) => buildHouses(columns, random)).map((houses) => ({
    houses,
    windows: houses.flatMap(listWindows),
  }));
  const windows = blocks.flatMap(({ windows }) => windows);
  const grantsPerWindow = Math.max(1, Math.ceil(grants / windows.length));
  const shuffledWindows = shuffle(windows, random);
  const candles = new Set(
    gifts.flatMap((checkoutId) =>
      checkoutId === null ? shuffledWindows.slice(0, 1) : findCheckoutWindow(checkoutId, blocks),
    ),
  );
  const freeWindows = shuffledWindows.filter((position) => !candles.has(position));
  const litWindows = new Set(freeWindows.slice(0, Math.round(grants / grantsPerWindow)));
  return {
    grantsPerWindow,
    blocks: blocks.map(({ houses, windows }) => ({
      houses,
      litWindows: windows.filter((position) => litWindows.has(position)),
      candles: windows.filter((position) => candles.has(position)),
      darkWindows: windows.filter((position) => !litWindows.has(position) && !candles.has(position)),
    })),
  };
}

/** The page's content never covers windows above this y coordinate. */
const UNCOVERED_Y = 110;

/** Finds a checkout's window in the first block, which phones also show. */
function findCheckoutWindow(
  checkoutId: string,
  [firstBlock]: readonly { windows: readonly StreetWindow[] }[],
): StreetWindow[] {
  const windows = firstBlock?.windows.filter(({ y }) => y < UNCOVERED_Y) ?? [];
  return windows.slice(hashToSeed(checkoutId) % windows.length).slice(0, 1);
}

function buildHouses(columnsOfHouses: readonly number[], random: () => number): House[] {
  let x = 0;
  return columnsOfHouses.map((columns, index) => {
    const stories = random() < 0.4 ? 2 : 3;
    const roof = ROOFS[Math.floor(random() * ROOFS.length)] ?? 'gable';
    const house = { x, columns, stories, roof, color: WALLS[index % WALLS.length] ?? '' };
    x += houseWidth(house);
    return house;
  });
}

function listWindows(house: House): StreetWindow[] {
  const top = GROUND_Y - houseHeight(house);
  return Array.from({ length: house.columns * house.stories }, (_, index) => ({
    x: house.x + 14 + (index % house.columns) * COLUMN_WIDTH,
    y: top + 14 + Math.floor(index / house.columns) * STORY_HEIGHT,
  }));
}

function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, sortKey: random() }))
    .sort((a, b) => a.sortKey - b.sortKey)
    .map(({ value }) => value);
}

type LitStreetProps = {
  street: Street;
  /** Describes the first block with a candle. */
  caption?: string | undefined;
  /** Draws a block's candles, with the caption if it is the block's. */
  candles?: (block: StreetBlock, caption: string | undefined) => ReactNode;
};

/** Town houses with lit windows: one row, or two rows on a phone. */
export function LitStreet({ street, caption, candles }: LitStreetProps) {
  const captionedBlock = street.blocks.find((block) => block.candles.length > 0);
  const { top, width, height } = BLOCK_SIZE;
  return (
    <div className={styles.street}>
      {street.blocks.map((block) => {
        const blockCaption = block === captionedBlock ? caption : undefined;
        return (
          <svg
            key={block.houses.map(({ columns }) => columns).join('')}
            className={styles.block}
            viewBox={`0 ${top} ${width} ${height}`}
            role="img"
            aria-label={blockCaption}
            aria-hidden={blockCaption === undefined}
          >
            {buildShapes(block).map((shape) => (
              <path key={shape.d} {...shape} />
            ))}
            {candles?.(block, blockCaption)}
          </svg>
        );
      })}
    </div>
  );
}

/** Empty space above the roofs, which is cropped. */
export const SKY_HEIGHT = 34;
export const BLOCK_SIZE = { top: SKY_HEIGHT, width: BLOCK_WIDTH, height: GROUND_Y - SKY_HEIGHT } as const;

export type Shape = {
  readonly d: string;
  readonly fill: string;
  readonly opacity?: number;
  readonly stroke?: string;
  readonly strokeWidth?: number;
};

/** Shapes of a block without its candles, from back to front. */
export function buildShapes({ houses, litWindows, candles, darkWindows }: StreetBlock): readonly Shape[] {
  const panes = ({ x, y }: StreetWindow) => `M${x} ${y}h14v20h-14z`;
  const bars = ({ x, y }: StreetWindow) => `M${x + 7} ${y}v20M${x} ${y + 8}h14`;
  return [
    ...houses.map((house) => ({ d: drawOutline(house), fill: house.color })),
    { d: joinPaths([...darkWindows, ...candles], panes), fill: '#07202a', opacity: 0.7 },
    { d: joinPaths(litWindows, panes), fill: LAMP },
    { d: joinPaths(litWindows, bars), fill: 'none', stroke: '#a86a14', strokeWidth: 1.5, opacity: 0.55 },
  ].filter(({ d }) => d !== '');
}

/** One path for the same drawing at several windows. */
export function joinPaths(windows: readonly StreetWindow[], drawPath: (window: StreetWindow) => string): string {
  return windows.map(drawPath).join('');
}

function drawOutline(house: House): string {
  const { x } = house;
  const width = houseWidth(house);
  const eaves = GROUND_Y - houseHeight(house);
  const half = width / 2;
  if (house.roof === 'gable') return `M${x} ${GROUND_Y}V${eaves}l${half}-26 ${half} 26V${GROUND_Y}Z`;
  if (house.roof === 'flat') {
    return `M${x} ${GROUND_Y}V${eaves}h${width}V${GROUND_Y}ZM${x - 3} ${eaves - 4}h${width + 6}v8h${-width - 6}z`;
  }
  const [side, slope] = [width * 0.28, width * 0.22];
  return `M${x} ${GROUND_Y}V${eaves - 6}h${side}l${slope}-20 ${slope} 20h${side}V${GROUND_Y}Z`;
}
