import type { Position } from './great-circle.ts';
import { type RouteFrame, routeFrame } from './route-frame.ts';

type Place = Position & { readonly name: string };

/** A way may cross the date line, so the world is drawn once more on either side. */
const WORLDS = [-3600, 0, 3600];
const LAMP = '#ffc24b';
/** Width of the card that line and dots are measured for, so that they look alike on a short and on a long way. */
const DRAWN_WIDTH = 520;

/** The way between two places over an outline of the world: no tiles, and no other site that learns of it. */
export function RouteMap({ from, to, className }: { from: Place; to: Place; className?: string | undefined }) {
  const frame = routeFrame(from, to);
  return (
    <svg
      className={className}
      viewBox={[frame.left, frame.top, frame.width, frame.height].map(tenth).join(' ')}
      preserveAspectRatio="xMidYMid meet"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element cannot be drawn into
      role="img"
      aria-label={`Map of the route from ${from.name} to ${to.name}`}
    >
      {WORLDS.map((shift) => (
        <image key={shift} href="/img/land.svg" x={shift - 1800} y={-900} width={3600} height={1800} />
      ))}
      <Way frame={frame} />
    </svg>
  );
}

function Way({ frame: { points, width } }: { frame: RouteFrame }) {
  const unit = width / DRAWN_WIDTH;
  const line = points.map(({ x, y }) => `${tenth(x)} ${tenth(y)}`).join('L');
  const ends = [points[0], points.at(-1)].filter((point) => point !== undefined);
  return (
    <>
      <path d={`M${line}`} fill="none" stroke={LAMP} strokeWidth={tenth(3 * unit)} strokeLinecap="round" />
      {ends.map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there are two ends, always, and they may be one place
        <g key={index}>
          <circle cx={tenth(x)} cy={tenth(y)} r={tenth(9 * unit)} fill={LAMP} opacity=".35" />
          <circle cx={tenth(x)} cy={tenth(y)} r={tenth(4.5 * unit)} fill="#fff" />
        </g>
      ))}
    </>
  );
}

/** A hundredth of a degree is finer than the outline itself, and shorter to write than what the sines give. */
function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
