import { seededNumbers } from './seeded-numbers.ts';

type Roof = 'gable' | 'flat' | 'dormer';
/** Its windows stand in columns over storeys. */
export type House = {
  readonly x: number;
  readonly columns: number;
  readonly storeys: number;
  readonly roof: Roof;
  readonly color: string;
};
/** The upper left corner of a window. */
type StreetWindow = { readonly x: number; readonly y: number };
export type StreetBlock = {
  readonly houses: readonly House[];
  readonly lit: readonly StreetWindow[];
  readonly dark: readonly StreetWindow[];
};
export type Street = { readonly blocks: readonly StreetBlock[]; readonly grantsPerWindow: number };

/** Columns of windows of the houses of each block: both blocks come out equally wide. */
const BLOCKS: readonly (readonly number[])[] = [
  [2, 3, 3, 3, 2, 3, 2],
  [3, 2, 3, 3, 2, 2, 3],
];
const WALLS: readonly string[] = ['#124049', '#17505a', '#0f3842', '#1b5a60', '#14474f'];
const ROOFS: readonly Roof[] = ['gable', 'flat', 'dormer'];
const COLUMN = 26;
const STOREY = 34;

/** Where the houses stand, downward. */
export const GROUND = 190;

/** How wide a block is. */
export const BLOCK_WIDTH = BLOCKS[0]?.reduce((sum, columns) => sum + houseWidth({ columns }), 0) ?? 0;

export function houseWidth({ columns }: Pick<House, 'columns'>): number {
  return columns * COLUMN + 18;
}

export function houseHeight({ storeys }: Pick<House, 'storeys'>): number {
  return storeys * STOREY + 22;
}

/**
 * A street, always the same one, in which a window is lit for every grant. Where there are more grants than windows,
 * a window stands for several: `grantsPerWindow`.
 */
export function litStreet(grants: number): Street {
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
    const storeys = number() < 0.4 ? 2 : 3;
    const roof = ROOFS[Math.floor(number() * ROOFS.length)] ?? 'gable';
    const house = { x, columns, storeys, roof, color: WALLS[index % WALLS.length] ?? '' };
    x += houseWidth(house);
    return house;
  });
}

function windowsOf(house: House): StreetWindow[] {
  const top = GROUND - houseHeight(house);
  return Array.from({ length: house.columns * house.storeys }, (_, index) => ({
    x: house.x + 14 + (index % house.columns) * COLUMN,
    y: top + 14 + Math.floor(index / house.columns) * STOREY,
  }));
}

function shuffled<T>(things: readonly T[], number: () => number): T[] {
  return things
    .map((thing) => ({ thing, at: number() }))
    .sort((one, other) => one.at - other.at)
    .map(({ thing }) => thing);
}
