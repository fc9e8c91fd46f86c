export type Point = { lat: number; lon: number };

/** Manhattan distance in degrees: accurate enough to pick one of a few nearby places. */
export function calculateDistance(a: Point, b: Point): number {
  return Math.abs(a.lat - b.lat) + Math.abs(a.lon - b.lon);
}

/** The nearest point within `maxDistance`. */
export function findNearest<T>(
  points: Iterable<T>,
  distance: (point: T) => number,
  maxDistance: number,
): T | undefined {
  let best: T | undefined;
  let smallest = maxDistance;
  for (const point of points) {
    const current = distance(point);
    if (current >= smallest) continue;
    smallest = current;
    best = point;
  }
  return best;
}

const CELL_SIZE = 0.5;
const toCellIndex = (degrees: number) => Math.floor(degrees / CELL_SIZE);

/** A grid with cells of half a degree, for finding the points within half a degree of a place. */
export function createSpatialIndex<T extends Point>(points: Iterable<T>) {
  const cells = new Map<string, T[]>();
  for (const point of points) {
    const cell = `${toCellIndex(point.lat)},${toCellIndex(point.lon)}`;
    const existing = cells.get(cell);
    if (existing) existing.push(point);
    else cells.set(cell, [point]);
  }
  return {
    findAround({ lat, lon }: Point): T[] {
      const steps = [-1, 0, 1];
      return steps.flatMap((north) =>
        steps.flatMap((east) => cells.get(`${toCellIndex(lat) + north},${toCellIndex(lon) + east}`) ?? []),
      );
    },
  };
}
