import { m } from '#messages';
import { greatCircle, type Position } from './great-circle.ts';

/** In tenths of a degree, as in /img/land.svg. */
type Point = { readonly x: number; readonly y: number };

/** The visible part of the map, and the route on it. */
type RouteFrame = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly points: readonly Point[];
};

export const MAP_RATIO = 3;
/** 26 degrees: closer up, the coastline is too coarse. */
const MINIMUM_WIDTH = 260;
/** Space around the route. More above and below, because the map is not tall. */
const MARGIN_ASIDE = 1.35;
const MARGIN_ABOVE = 1.7;

/** The part of the map that shows the route, with enough land around it to recognize. */
export function routeFrame(from: Position, to: Position): RouteFrame {
  const points = greatCircle(from, to).map(({ lat, lon }) => ({ x: lon * 10, y: -lat * 10 }));
  const across = extent(points.map(({ x }) => x));
  const down = extent(points.map(({ y }) => y));
  const width = Math.max(across.size * MARGIN_ASIDE, down.size * MARGIN_ABOVE * MAP_RATIO, MINIMUM_WIDTH);
  const height = width / MAP_RATIO;
  return { left: across.middle - width / 2, top: down.middle - height / 2, width, height, points };
}

function extent(values: readonly number[]): { size: number; middle: number } {
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
  return { size: maximum - minimum, middle: (minimum + maximum) / 2 };
}

type Place = Position & { readonly name: string };

/** A route may cross the date line, so the world is drawn again on each side. */
const WORLDS = [-3600, 0, 3600];
const LAMP = '#ffc24b';
/** The width in pixels for which the line and the dots are sized, so that they look the same on every route. */
const DRAWN_WIDTH = 520;

/** The route between two places over an outline of the world. No map tiles, so the trip isn't sent to another site. */
export function RouteMap({ from, to, className }: { from: Place; to: Place; className?: string | undefined }) {
  const frame = routeFrame(from, to);
  return (
    <svg
      className={className}
      viewBox={[frame.left, frame.top, frame.width, frame.height].map(tenth).join(' ')}
      preserveAspectRatio="xMidYMid meet"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element cannot hold the drawing
      role="img"
      aria-label={m.mapOfRoute({ from: from.name, to: to.name })}
    >
      {WORLDS.map((shift) => (
        <image key={shift} href="/img/land.svg" x={shift - 1800} y={-900} width={3600} height={1800} />
      ))}
      <Route frame={frame} />
    </svg>
  );
}

function Route({ frame: { points, width } }: { frame: RouteFrame }) {
  const unit = width / DRAWN_WIDTH;
  const line = points.map(({ x, y }) => `${tenth(x)} ${tenth(y)}`).join('L');
  const ends = [points[0], points.at(-1)].filter((point) => point !== undefined);
  return (
    <>
      <path d={`M${line}`} fill="none" stroke={LAMP} strokeWidth={tenth(3 * unit)} strokeLinecap="round" />
      {ends.map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there are always two ends, and they may be the same place
        <g key={index}>
          <circle cx={tenth(x)} cy={tenth(y)} r={tenth(9 * unit)} fill={LAMP} opacity=".35" />
          <circle cx={tenth(x)} cy={tenth(y)} r={tenth(4.5 * unit)} fill="#fff" />
        </g>
      ))}
    </>
  );
}

/** Finer than the outline, and shorter to write. */
function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
