import { m } from '#messages';
import { greatCircle, type Position } from './great-circle.ts';
import { roundToTenths } from './round-to-tenths.ts';

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

/** Ratio of width to height. The map is taller on a phone, so that a long route isn't a thin strip. */
export const MAP_RATIO = { wide: 3.5, narrow: 2 };
/** 18 degrees. At a higher zoom, the coastline would look coarse. */
const MIN_WIDTH = 180;
/** Space around the route for the cities' names. Larger above and below, because the map isn't tall. */
const HORIZONTAL_MARGIN = 1.5;
const VERTICAL_MARGIN = 2;

/**
 * The part of the map that shows the route, with enough land around it to recognize.
 * @param ratio width to height
 */
export function frameRoute(from: Position, to: Position, ratio: number): RouteFrame {
  const points = greatCircle(from, to).map(toPoint);
  const horizontal = measureExtent(points.map(({ x }) => x));
  const vertical = measureExtent(points.map(({ y }) => y));
  const width = Math.max(horizontal.size * HORIZONTAL_MARGIN, vertical.size * VERTICAL_MARGIN * ratio, MIN_WIDTH);
  const height = width / ratio;
  return { left: horizontal.middle - width / 2, top: vertical.middle - height / 2, width, height, points };
}

function toPoint({ lat, lon }: Position): Point {
  return { x: lon * 10, y: -lat * 10 };
}

function measureExtent(values: readonly number[]): { size: number; middle: number } {
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
  return { size: maximum - minimum, middle: (minimum + maximum) / 2 };
}

type Place = Position & {
  /** The full city string (§3). */
  readonly name: string;
  /** The city's name alone. */
  readonly city: string;
};

/** A route may cross the date line, so the world is drawn again on each side. */
const WORLD_SHIFTS = [-3600, 0, 3600];
const LAMP = '#ffc24b';
const NIGHT = '#0b2b33';
/** The width in pixels that lines, dots, and names are sized for, so they look the same on every route. */
const REFERENCE_WIDTH = { wide: 520, narrow: 326 };

type MapShape = keyof typeof MAP_RATIO;

/**
 * The route between two places over a map with the borders of countries and U.S. states. Uses no map tiles, so the trip
 * isn't sent to another site.
 */
export function RouteMap({ from, to, className }: { from: Place; to: Place; className: string | undefined }) {
  const shape: MapShape = window.matchMedia('(max-width: 576px)').matches ? 'narrow' : 'wide';
  const frame = frameRoute(from, to, MAP_RATIO[shape]);
  const unit = frame.width / REFERENCE_WIDTH[shape];
  const [start, end] = [toPoint(from), frame.points.at(-1) ?? toPoint(to)];
  const line = frame.points.map(({ x, y }) => `${roundToTenths(x)} ${roundToTenths(y)}`).join('L');
  return (
    <svg
      className={className}
      viewBox={[frame.left, frame.top, frame.width, frame.height].map(roundToTenths).join(' ')}
      preserveAspectRatio="xMidYMid meet"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element cannot hold the drawing
      role="img"
      aria-label={m.mapOfRoute({ from: from.name, to: to.name })}
    >
      <World />
      <path d={`M${line}`} fill="none" stroke={LAMP} strokeWidth={roundToTenths(3 * unit)} strokeLinecap="round" />
      <City name={from.city} point={start} isAbove={start.y <= end.y} unit={unit} />
      <City name={to.city} point={end} isAbove={end.y <= start.y} unit={unit} />
    </svg>
  );
}

/** Degrees of longitude that a map of one city shows. */
const CITY_DEGREES = 36;

/** A city on the map of its region. */
export function CityMap({ city }: { city: Place }) {
  const [width, height] = [CITY_DEGREES * 10, (CITY_DEGREES * 10) / MAP_RATIO.wide];
  const point = toPoint(city);
  return (
    <svg
      viewBox={[point.x - width / 2, point.y - height / 2, width, height].map(roundToTenths).join(' ')}
      preserveAspectRatio="xMidYMid slice"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element cannot hold the drawing
      role="img"
      aria-label={m.mapOfCity({ city: city.name })}
    >
      <World />
      <City name={city.city} point={point} isAbove unit={width / REFERENCE_WIDTH.wide} />
    </svg>
  );
}

function World() {
  return WORLD_SHIFTS.map((shift) => (
    <image key={shift} href="/img/land.svg" x={shift - 1800} y={-900} width={3600} height={1800} />
  ));
}

type CityProps = {
  name: string;
  point: Point;
  /** True if the name is above the dot. Names are placed away from the route. */
  isAbove: boolean;
  /** Map units per pixel. */
  unit: number;
};

/** A dot with the city's name. */
function City({ name, point: { x, y }, isAbove, unit }: CityProps) {
  return (
    <g>
      <circle cx={roundToTenths(x)} cy={roundToTenths(y)} r={roundToTenths(9 * unit)} fill={LAMP} opacity=".35" />
      <circle cx={roundToTenths(x)} cy={roundToTenths(y)} r={roundToTenths(4.5 * unit)} fill="#fff" />
      <text
        x={roundToTenths(x)}
        y={roundToTenths(isAbove ? y - 14 * unit : y + 24 * unit)}
        textAnchor="middle"
        fontSize={roundToTenths(13 * unit)}
        fontWeight="600"
        fill="#fff"
        stroke={NIGHT}
        strokeWidth={roundToTenths(4 * unit)}
        strokeLinejoin="round"
        paintOrder="stroke"
      >
        {name}
      </text>
    </g>
  );
}
