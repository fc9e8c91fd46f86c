import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import { path, svg } from './svg.ts';

type AtlasTopology = Parameters<typeof feature>[0];
type Ring = readonly (readonly number[])[];

/** South of this latitude lies Antarctica only, where no route of a visitor goes. */
const SOUTHERNMOST = -60;

/**
 * The world's land as one path in degrees × 10, longitude to the right and latitude upwards: 0.1° to a unit,
 * so a map of a route can place it by numbers and needs no projection.
 */
export function landSvg(): string {
  const data = landRings().map(ringData).join('');
  return svg(3600, 1800, { viewBox: '-1800 -900 3600 1800' }, path(data, '#3d8284'));
}

function landRings(): Ring[] {
  const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json');
  const topology = JSON.parse(readFileSync(file, 'utf8')) as AtlasTopology;
  const land = topology.objects.land;
  if (!land) throw new Error('world-atlas has no land in land-110m.json');
  const collection = feature(topology, land);
  const features = collection.type === 'FeatureCollection' ? collection.features : [collection];
  const polygons = features.flatMap(({ geometry }): Ring[][] => {
    if (geometry.type === 'Polygon') return [geometry.coordinates];
    return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  });
  return polygons.filter((rings) => !isAntarctic(rings[0] ?? [])).flat();
}

function isAntarctic(outline: Ring): boolean {
  return outline.every(([, latitude = 0]) => latitude < SOUTHERNMOST);
}

type Point = { readonly x: number; readonly y: number };

/** The date line, in tenths of a degree. */
const EDGE = 1800;

/** A ring as path data; one that crosses the date line becomes a piece on either side of the map. */
function ringData(ring: Ring): string {
  const points = unwrapped(ring.slice(0, -1));
  const turns = [0, -2 * EDGE, 2 * EDGE];
  const pieces = turns.map((shift) => withinEdges(points.map(({ x, y }) => ({ x: x + shift, y }))));
  return pieces
    .filter((piece) => piece.some(({ x }) => Math.abs(x) < EDGE))
    .map(steps)
    .join('');
}

/** Tenths of degrees, going on past the date line where the ring does, so that no step leaps across the world. */
function unwrapped(ring: Ring): Point[] {
  const points: Point[] = [];
  for (const [longitude = 0, latitude = 0] of ring) {
    const x = Math.round(longitude * 10);
    const before = points.at(-1)?.x ?? x;
    points.push({ x: x - 2 * EDGE * Math.round((x - before) / (2 * EDGE)), y: Math.round(-latitude * 10) });
  }
  return points;
}

/** What lies beyond the map's edges, pressed onto them; of several points in a row on an edge, the ends are enough. */
function withinEdges(points: readonly Point[]): Point[] {
  const pressed = points.map(({ x, y }) => ({ x: Math.max(-EDGE, Math.min(EDGE, x)), y }));
  const onEdge = (point: Point | undefined) => point !== undefined && Math.abs(point.x) === EDGE;
  return pressed.filter((point, index) => {
    const [before, after] = [pressed.at(index - 1), pressed[(index + 1) % pressed.length]];
    return !(onEdge(before) && onEdge(point) && onEdge(after));
  });
}

/** Relative steps in whole units: half the bytes of absolute points. */
function steps(points: readonly Point[]): string {
  const written = points.map(({ x, y }, index) => {
    const before = points[index - 1];
    return before ? `l${x - before.x} ${y - before.y}` : `M${x} ${y}`;
  });
  return `${written.join('').replaceAll(' -', '-')}z`;
}
