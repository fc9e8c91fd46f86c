import { greatCircle, type Position } from './great-circle.ts';

/** Tenths of degrees, east to the right and north upwards: the units of /img/land.svg. */
export type Point = { readonly x: number; readonly y: number };

/** What of the map is seen, and the way drawn on it. */
export type RouteFrame = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly points: readonly Point[];
};

/** Width to height of the map. */
export const MAP_RATIO = 3;
/** Least width of what is seen, 26 degrees: closer up, the outline of the land is too coarse. */
const LEAST_WIDTH = 260;
/** Room around the way, as a share of it. More above and below, where the map is low. */
const ROOM_ASIDE = 1.35;
const ROOM_ABOVE = 1.7;

/** The part of the map that shows the way between two places, with some land around it to know it by. */
export function routeFrame(from: Position, to: Position): RouteFrame {
  const points = greatCircle(from, to).map(({ lat, lon }) => ({ x: lon * 10, y: -lat * 10 }));
  const across = extent(points.map(({ x }) => x));
  const down = extent(points.map(({ y }) => y));
  const width = Math.max(across.size * ROOM_ASIDE, down.size * ROOM_ABOVE * MAP_RATIO, LEAST_WIDTH);
  const height = width / MAP_RATIO;
  return { left: across.middle - width / 2, top: down.middle - height / 2, width, height, points };
}

function extent(values: readonly number[]): { size: number; middle: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { size: most - least, middle: (least + most) / 2 };
}
