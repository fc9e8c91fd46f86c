import { useId } from 'react';
import { LANDSCAPE, landscapeOf, type Pine, type StoryScene } from './landscape.ts';

type TileProps = { seed: string; scene: StoryScene; className?: string | undefined };

/** A drawn landscape where a story has no photo. Decorative: the story's name stands beside it. */
export function Tile({ seed, scene, className }: TileProps) {
  const sky = useId();
  const land = landscapeOf(seed, scene);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${LANDSCAPE.width} ${LANDSCAPE.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <linearGradient id={sky} x2="0" y2="1">
        <stop stopColor={land.sky.top} />
        <stop offset={1} stopColor={land.sky.bottom} />
      </linearGradient>
      <rect width={LANDSCAPE.width} height={LANDSCAPE.height} fill={`url(#${sky})`} />
      <circle cx={land.sun.x} cy={land.sun.y} r={land.sun.r} fill={land.sun.color} />
      <path d={land.hills.far} fill={land.hills.color} opacity={0.45} />
      <path d={land.hills.middle} fill={land.hills.color} opacity={0.75} />
      {scene === 'trip' && <Plane {...land.plane} />}
      {scene !== 'trip' && <House x={land.house.x} y={218} scale={land.house.scale} dark />}
      {scene === 'home' && <House x={land.house.x + 92} y={215} scale={land.house.scale * 0.8} dark={false} />}
      <path d={land.hills.near} fill={land.hills.color} />
      <Pines pines={land.pines} />
      {scene === 'work' && <HeatPump x={land.house.x + 74 * land.house.scale} />}
    </svg>
  );
}

function Plane({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(-14)`} fill="#fff">
      <path d="M-58 10Q-20-2 44 0q14 1 16 6-2 5-16 6-52 2-102 2Z" />
      <path d="M8 2-22-30h13L28 2ZM8 10-16 34h11L28 10ZM-50 8-62-10h8l14 18Z" />
    </g>
  );
}

function House({ x, y, scale, dark }: { x: number; y: number; scale: number; dark: boolean }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path d="M0 0v-44L32-72 64-44V0Z" fill={dark ? '#0b2b33' : '#f7efe0'} />
      <path d="M-6-40 32-74 70-40 66-36 32-66-2-36Z" fill={dark ? '#07202a' : '#a63d2b'} />
      <path d="M10-38h14v15H10zM40-38h14v15H40zM10-17h14v15H10z" fill="#ffc24b" />
      <path d="M40-20h14V0H40z" fill={dark ? '#d9893a' : '#17585b'} />
    </g>
  );
}

function Pines({ pines }: { pines: readonly Pine[] }) {
  return (
    <>
      {pines.map(({ x, y, scale }) => (
        <path
          key={x}
          transform={`translate(${x} ${y}) scale(${scale})`}
          d="M0-60 14-34H8L18-12H-18L-8-34H-14ZM-3-12h6V0h-6Z"
          fill="#0b2b33"
        />
      ))}
    </>
  );
}

function HeatPump({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 182)`}>
      <rect width={52} height={40} rx={5} fill="#f4faf8" />
      <circle cx={22} cy={20} r={14} fill="#cddcd8" />
      <path d="M22 8v24M10 20h24M14 12l16 16M30 12 14 28" stroke="#2b7277" strokeWidth={2.5} />
      <path d="M42 10v20M47 10v20" stroke="#8fb3ad" strokeWidth={2} />
    </g>
  );
}
