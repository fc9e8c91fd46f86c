export type Point = { lat: number; lon: number };

/** Degrees north and east, added: close enough to tell which of a few namesakes is meant. */
export function apart(a: Point, b: Point): number {
  return Math.abs(a.lat - b.lat) + Math.abs(a.lon - b.lon);
}

/** The one of the points for which `distance` is least, if that is below `within`. */
export function nearest<T>(points: Iterable<T>, distance: (point: T) => number, within: number): T | undefined {
  let best: T | undefined;
  let least = within;
  for (const point of points) {
    const here = distance(point);
    if (here >= least) continue;
    least = here;
    best = point;
  }
  return best;
}

const CELL = 0.5;
const cellOf = (degrees: number) => Math.floor(degrees / CELL);

/** Points in cells of half a degree, so that those within half a degree of a place are found without reading all. */
export function neighbourhood<T extends Point>(points: Iterable<T>) {
  const cells = new Map<string, T[]>();
  for (const point of points) {
    const cell = `${cellOf(point.lat)},${cellOf(point.lon)}`;
    const neighbours = cells.get(cell);
    if (neighbours) neighbours.push(point);
    else cells.set(cell, [point]);
  }
  return {
    around({ lat, lon }: Point): T[] {
      const steps = [-1, 0, 1];
      return steps.flatMap((north) =>
        steps.flatMap((east) => cells.get(`${cellOf(lat) + north},${cellOf(lon) + east}`) ?? []),
      );
    },
  };
}
