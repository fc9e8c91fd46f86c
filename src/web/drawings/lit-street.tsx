import styles from './drawings.module.css';
import { seededNumbers } from './seeded-numbers.ts';

type Roof = 'gable' | 'flat' | 'dormer';
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
  readonly lit: readonly StreetWindow[];
  readonly dark: readonly StreetWindow[];
};
export type Street = { readonly blocks: readonly StreetBlock[]; readonly grantsPerWindow: number };

/** The number of window columns of each house. Both blocks have the same width. */
const BLOCKS: readonly (readonly number[])[] = [
  [2, 3, 3, 3, 2, 3, 2],
  [3, 2, 3, 3, 2, 2, 3],
];
const WALLS: readonly string[] = ['#124049', '#17505a', '#0f3842', '#1b5a60', '#14474f'];
const ROOFS: readonly Roof[] = ['gable', 'flat', 'dormer'];
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

/**
 * A street with one lit window per grant, or per `grantsPerWindow` grants if there are more grants than windows. The
 * houses are always the same.
 */
export function litStreet(awarded: number): Street {
  const grants = Math.max(0, Math.round(awarded));
  const number = seededNumbers(41);
  const blocks = BLOCKS.map((columns) => housesOf(columns, number)).map((houses) => ({
    houses,
    windows: houses.flatMap(windowsOf),
  }));
  const all = blocks.flatMap(({ windows }) => windows);
  const grantsPerWindow = Math.max(1, Math.ceil(grants / all.length));
  const lit = new Set(shuffled(all, number).slice(0, Math.round(grants / grantsPerWindow)));
  return {
    grantsPerWindow,
    blocks: blocks.map(({ houses, windows }) => ({
      houses,
      lit: windows.filter((place) => lit.has(place)),
      dark: windows.filter((place) => !lit.has(place)),
    })),
  };
}

function housesOf(columnsOfHouses: readonly number[], number: () => number): House[] {
  let x = 0;
  return columnsOfHouses.map((columns, index) => {
    const stories = number() < 0.4 ? 2 : 3;
    const roof = ROOFS[Math.floor(number() * ROOFS.length)] ?? 'gable';
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

function shuffled<T>(things: readonly T[], number: () => number): T[] {
  return things
    .map((thing) => ({ thing, at: number() }))
    .sort((one, other) => one.at - other.at)
    .map(({ thing }) => thing);
}

/** Town houses with lit windows: one row, or two rows on a phone. */
export function LitStreet({ street }: { street: Street }) {
  return (
    <div className={styles.street}>
      {street.blocks.map((block) => (
        <BlockOfHouses key={block.houses.map(({ columns }) => columns).join('')} block={block} />
      ))}
    </div>
  );
}

function BlockOfHouses({ block: { houses, lit, dark } }: { block: StreetBlock }) {
  const panes = ({ x, y }: { x: number; y: number }) => `M${x} ${y}h14v20h-14z`;
  const bars = ({ x, y }: { x: number; y: number }) => `M${x + 7} ${y}v20M${x} ${y + 8}h14`;
  return (
    <svg className={styles.block} viewBox={`0 34 ${BLOCK_WIDTH} ${GROUND - 34}`} aria-hidden="true">
      {houses.map((house) => (
        <path key={house.x} fill={house.color} d={outline(house)} />
      ))}
      <path d={dark.map(panes).join('')} fill="#07202a" opacity={0.7} />
      <path d={lit.map(panes).join('')} fill="#ffc24b" />
      <path d={lit.map(bars).join('')} stroke="#a86a14" strokeWidth={1.5} opacity={0.55} />
    </svg>
  );
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
