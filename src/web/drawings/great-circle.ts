/** Degrees north and east. Longitudes exceed ±180 if a route crosses the antimeridian. */
export type Position = { readonly lat: number; readonly lon: number };

type Vector = readonly [x: number, y: number, z: number];

/**
 * In radians. Points closer than this are treated as equal, and points this close to antipodal are treated as exact
 * antipodes.
 */
const TINY_ANGLE = 1e-6;
/** Line segments per arc, enough to look like a curve. */
const STEPS = 64;

/**
 * The shortest route over the globe, including both ends. Its longitudes never jump, so it can be drawn as one line.
 * Between antipodes, where every route is equally short, this is the northernmost one.
 */
export function greatCircle(from: Position, to: Position): Position[] {
  const [start, end] = [toVector(from), toVector(to)];
  const angle = angleBetween(start, end);
  if (angle < TINY_ANGLE) return unwrapLongitudes([from, to]);
  const waypoints = angle > Math.PI - TINY_ANGLE ? [start, northernMidpoint(start), end] : [start, end];
  const legs = waypoints.slice(1).map((vector, index) => sampleArc(waypoints[index] ?? start, vector));
  return unwrapLongitudes([from, ...legs.flat().slice(0, -1).map(toPosition), to]);
}

function sampleArc(start: Vector, end: Vector): Vector[] {
  const angle = angleBetween(start, end);
  return Array.from({ length: STEPS }, (_, index) => {
    const fraction = (index + 1) / STEPS;
    const [a, b] = [Math.sin((1 - fraction) * angle), Math.sin(fraction * angle)];
    return normalize([a * start[0] + b * end[0], a * start[1] + b * end[1], a * start[2] + b * end[2]]);
  });
}

/** Northernmost point that is a quarter of the way around the globe. */
function northernMidpoint([x, y, z]: Vector): Vector {
  const isPole = Math.hypot(x, y) < TINY_ANGLE;
  return isPole ? [1, 0, 0] : normalize([-z * x, -z * y, 1 - z * z]);
}

function unwrapLongitudes(positions: readonly Position[]): Position[] {
  const line: Position[] = [];
  for (const { lat, lon } of positions) {
    const previous = line.at(-1)?.lon ?? lon;
    line.push({ lat, lon: lon - 360 * Math.round((lon - previous) / 360) });
  }
  return line;
}

function toVector({ lat, lon }: Position): Vector {
  const [north, east] = [toRadians(lat), toRadians(lon)];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

function toPosition([x, y, z]: Vector): Position {
  return { lat: toDegrees(Math.atan2(z, Math.hypot(x, y))), lon: toDegrees(Math.atan2(y, x)) };
}

/** Uses the cross product too: the cosine alone is inaccurate for small angles. */
function angleBetween(a: Vector, b: Vector): number {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

function normalize([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function toRadians(angle: number): number {
  return (angle * Math.PI) / 180;
}

function toDegrees(angle: number): number {
  return (angle * 180) / Math.PI;
}
