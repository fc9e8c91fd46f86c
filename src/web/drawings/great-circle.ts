/** Degrees north and east. East goes on past 180 (or below −180) where a line crosses the antimeridian. */
export type Position = { readonly lat: number; readonly lon: number };

type Vector = readonly [x: number, y: number, z: number];

/** An angle, in radians, below which two places are one, or two antipodes are exactly opposite. */
const HAIR = 1e-6;
/** Pieces of a drawn arc: enough to look like a curve at the width of the card. */
const STEPS = 64;

/**
 * The shortest way over the globe, both ends among its positions. Its longitudes never leap, so that it can be drawn
 * as one line. Between antipodes every way is as short, and the one furthest north is taken.
 */
export function greatCircle(from: Position, to: Position): Position[] {
  const [start, end] = [vectorOf(from), vectorOf(to)];
  const angle = angleBetween(start, end);
  if (angle < HAIR) return unwrapped([from, to]);
  const through = angle > Math.PI - HAIR ? [start, beside(start), end] : [start, end];
  const legs = through.slice(1).map((vector, index) => arc(through[index] ?? start, vector));
  return unwrapped([from, ...legs.flat().slice(0, -1).map(positionOf), to]);
}

/** The points after `start` up to `end`, evenly spaced. */
function arc(start: Vector, end: Vector): Vector[] {
  const angle = angleBetween(start, end);
  return Array.from({ length: STEPS }, (_, index) => {
    const part = (index + 1) / STEPS;
    const [a, b] = [Math.sin((1 - part) * angle), Math.sin(part * angle)];
    return normalized([a * start[0] + b * end[0], a * start[1] + b * end[1], a * start[2] + b * end[2]]);
  });
}

/** A quarter of the globe away, as far to the north as can be. */
function beside([x, y, z]: Vector): Vector {
  const isPole = Math.hypot(x, y) < HAIR;
  return isPole ? [1, 0, 0] : normalized([-z * x, -z * y, 1 - z * z]);
}

function unwrapped(positions: readonly Position[]): Position[] {
  const line: Position[] = [];
  for (const { lat, lon } of positions) {
    const before = line.at(-1)?.lon ?? lon;
    line.push({ lat, lon: lon - 360 * Math.round((lon - before) / 360) });
  }
  return line;
}

function vectorOf({ lat, lon }: Position): Vector {
  const [north, east] = [radians(lat), radians(lon)];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

function positionOf([x, y, z]: Vector): Position {
  return { lat: degrees(Math.atan2(z, Math.hypot(x, y))), lon: degrees(Math.atan2(y, x)) };
}

/** By the cross product too, because the cosine alone tells small angles badly. */
function angleBetween(a: Vector, b: Vector): number {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

function normalized([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function radians(angle: number): number {
  return (angle * Math.PI) / 180;
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}
