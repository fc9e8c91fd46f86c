import styles from './drawings.module.css';
import { seededNumbers, seedOf } from './seeded-numbers.ts';

type House = {
  readonly x: number;
  readonly columns: number;
  readonly stories: number;
  readonly roof: Roof;
  readonly color: string;
};
/** The upper left corner of a window. */
type StreetWindow = { readonly x: number; readonly y: number };
type StreetBlock = {
  readonly houses: readonly House[];
  /** The windows of grants. */
  readonly lit: readonly StreetWindow[];
  /** The windows of gifts. */
  readonly candles: readonly StreetWindow[];
  readonly dark: readonly StreetWindow[];
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
const LAMP = '#ffc24b';
const COLUMN = 26;
const STORY = 34;

const GROUND = 190;

const BLOCK_WIDTH = BLOCKS[0]?.reduce((sum, columns) => sum + houseWidth({ columns }), 0) ?? 0;

function houseWidth({ columns }: Pick<House, 'columns'>): number {
  return columns * COLUMN + 18;
}

function houseHeight({ stories }: Pick<House, 'stories'>): number {
  return stories * STORY + 22;
}

/** The gifts to show as candles: a number of gifts, or the gift of one checkout. */
type Gifts = number | { readonly checkoutId: string };

/**
 * A street with one lit window per grant, or per `grantsPerWindow` grants if there are more grants than windows, and
 * candles in other windows. The houses are always the same, and so is the window of a checkout's candle.
 */
export function litStreet(grantCount: number, gifts: Gifts = 0): Street {
  const grants = Math.max(0, Math.round(grantCount));
  const random = seededNumbers(41);
  const blocks = BLOCKS.map((columns) => housesOf(columns, random)).map((houses) => ({
    houses,
    windows: houses.flatMap(windowsOf),
  }));
  const windows = blocks.flatMap(({ windows }) => windows);
  const grantsPerWindow = Math.max(1, Math.ceil(grants / windows.length));
  const places = shuffle(windows, random);
  const candles = new Set(typeof gifts === 'number' ? places.slice(0, gifts) : windowOfCheckout(gifts, blocks));
  const freePlaces = places.filter((place) => !candles.has(place));
  const lit = new Set(freePlaces.slice(0, Math.round(grants / grantsPerWindow)));
  return {
    grantsPerWindow,
    blocks: blocks.map(({ houses, windows }) => ({
      houses,
      lit: windows.filter((place) => lit.has(place)),
      candles: windows.filter((place) => candles.has(place)),
      dark: windows.filter((place) => !lit.has(place) && !candles.has(place)),
    })),
  };
}

/** The page's content never covers windows above this y coordinate. */
const UNCOVERED_Y = 110;

/** The window of a checkout. It is in the block that phones also show. */
function windowOfCheckout(
  { checkoutId }: { checkoutId: string },
  [first]: readonly { windows: readonly StreetWindow[] }[],
): StreetWindow[] {
  const windows = first?.windows.filter(({ y }) => y < UNCOVERED_Y) ?? [];
  return windows.slice(seedOf(checkoutId) % windows.length).slice(0, 1);
}

function housesOf(columnsOfHouses: readonly number[], random: () => number): House[] {
  let x = 0;
  return columnsOfHouses.map((columns, index) => {
    const stories = random() < 0.4 ? 2 : 3;
    const roof = ROOFS[Math.floor(random() * ROOFS.length)] ?? 'gable';
    const house = { x, columns, stories, roof, color: WALLS[index % WALLS.length] ?? '' };
    x += houseWidth(house);
    return house;
  });
}

function windowsOf(house: House): StreetWindow[] {
  const top = GROUND - houseHeight(house);
  return Array.from({ length: house.columns * house.stories }, (_, index) => ({
    x: house.x + 14 + (index % house.columns) * COLUMN,
    y: top + 14 + Math.floor(index / house.columns) * STORY,
  }));
}

function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, position: random() }))
    .sort((a, b) => a.position - b.position)
    .map(({ value }) => value);
}

/**
 * Town houses with lit windows: one row, or two rows on a phone.
 * @param caption written above the first candle
 */
export function LitStreet({ street, caption }: { street: Street; caption?: string | undefined }) {
  const captioned = street.blocks.find(({ candles }) => candles.length > 0);
  return (
    <div className={styles.street}>
      {street.blocks.map((block) => (
        <BlockOfHouses
          key={block.houses.map(({ columns }) => columns).join('')}
          block={block}
          caption={block === captioned ? caption : undefined}
        />
      ))}
    </div>
  );
}

function BlockOfHouses({ block, caption }: { block: StreetBlock; caption: string | undefined }) {
  const { top, width, height } = BLOCK_SIZE;
  return (
    <svg
      className={styles.block}
      viewBox={`0 ${top} ${width} ${height}`}
      role="img"
      aria-label={caption}
      aria-hidden={caption === undefined}
    >
      {shapesOf(block).map(({ isCandle, ...shape }) => (
        <path key={shape.d} {...(isCandle ? { className: styles.candle } : {})} {...shape} />
      ))}
      {caption !== undefined && (
        <text className={styles.caption} {...captionPlace(block.candles)}>
          {caption}
        </text>
      )}
    </svg>
  );
}

/** Places the caption above the first candle, without exceeding the block on either side. */
function captionPlace([candle = { x: 0, y: SKY }]: readonly StreetWindow[]) {
  const [x, y] = [candle.x + 7, candle.y - 12];
  if (x < CAPTION_SPACE) return { x: candle.x, y, textAnchor: 'start' } as const;
  if (x > BLOCK_SIZE.width - CAPTION_SPACE) return { x: candle.x + 14, y, textAnchor: 'end' } as const;
  return { x, y, textAnchor: 'middle' } as const;
}

/** Half of the longest caption's width. */
const CAPTION_SPACE = 130;

/** Empty space above the roofs, which is cropped. */
const SKY = 34;
export const BLOCK_SIZE = { top: SKY, width: BLOCK_WIDTH, height: GROUND - SKY } as const;

type Shape = {
  readonly d: string;
  readonly fill: string;
  readonly opacity?: number;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly isCandle?: boolean;
};

/** Shapes of a block, from back to front. */
export function shapesOf({ houses, lit, candles, dark }: StreetBlock): readonly Shape[] {
  const panes = ({ x, y }: StreetWindow) => `M${x} ${y}h14v20h-14z`;
  const bars = ({ x, y }: StreetWindow) => `M${x + 7} ${y}v20M${x} ${y + 8}h14`;
  const glow = (radius: number) => (place: StreetWindow) =>
    `M${place.x + 7 - radius} ${place.y + 9}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0-${2 * radius} 0z`;
  const wax = ({ x, y }: StreetWindow) => `M${x + 5} ${y + 12}h4v8h-4z`;
  const flame = ({ x, y }: StreetWindow) => `M${x + 7} ${y + 1}q4.5 5 0 10q-4.5-5 0-10z`;
  const joinPaths = (places: readonly StreetWindow[], path: (place: StreetWindow) => string) =>
    places.map(path).join('');
  return [
    ...houses.map((house) => ({ d: outline(house), fill: house.color })),
    { d: joinPaths([...dark, ...candles], panes), fill: '#07202a', opacity: 0.7 },
    { d: joinPaths(lit, panes), fill: LAMP },
    { d: joinPaths(lit, bars), fill: 'none', stroke: '#a86a14', strokeWidth: 1.5, opacity: 0.55 },
    { d: joinPaths(candles, glow(24)), fill: LAMP, opacity: 0.16, isCandle: true },
    { d: joinPaths(candles, glow(14)), fill: LAMP, opacity: 0.3, isCandle: true },
    { d: joinPaths(candles, wax), fill: '#f4faf8', isCandle: true },
    { d: joinPaths(candles, flame), fill: LAMP, isCandle: true },
  ].filter(({ d }) => d !== '');
}

function outline(house: House): string {
  const { x } = house;
  const width = houseWidth(house);
  const eaves = GROUND - houseHeight(house);
  const half = width / 2;
  if (house.roof === 'gable') return `M${x} ${GROUND}V${eaves}l${half}-26 ${half} 26V${GROUND}Z`;
  if (house.roof === 'flat') {
    return `M${x} ${GROUND}V${eaves}h${width}V${GROUND}ZM${x - 3} ${eaves - 4}h${width + 6}v8h${-width - 6}z`;
  }
  const [side, slope] = [width * 0.28, width * 0.22];
  return `M${x} ${GROUND}V${eaves - 6}h${side}l${slope}-20 ${slope} 20h${side}V${GROUND}Z`;
}
