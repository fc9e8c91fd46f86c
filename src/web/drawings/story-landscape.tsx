import { useId } from 'react';
import { roundToTenths } from './round-to-tenths.ts';
import { createSeededRandom, hashToSeed } from './seeded-random.ts';

/** Subject of the picture: an offset trip, an installation, or a home that got a grant. */
export type StoryScene = 'trip' | 'work' | 'home';

type Pine = { readonly x: number; readonly y: number; readonly scale: number };
type Landscape = {
  readonly sky: { readonly top: string; readonly bottom: string };
  readonly sun: { readonly x: number; readonly y: number; readonly r: number; readonly color: string };
  readonly hills: { readonly color: string; readonly far: string; readonly middle: string; readonly near: string };
  readonly plane: { readonly x: number; readonly y: number };
  readonly house: { readonly x: number; readonly scale: number };
  readonly pines: readonly Pine[];
};

/** Top of the sky, bottom of the sky, sun, hills. */
const COLORS = [
  ['#0e3f49', '#2b7277', '#f4c988', '#17585b'],
  ['#f4c988', '#f6b26a', '#fff1cf', '#2b7277'],
  ['#bfe0dc', '#8fc4bd', '#fff7e3', '#17585b'],
  ['#123f41', '#17585b', '#ffd684', '#0b2b33'],
  ['#d9ebe6', '#f6d9a4', '#fff', '#3d7c78'],
  ['#2b7277', '#7fb3a5', '#ffe7ac', '#103f45'],
] as const;

const LANDSCAPE_SIZE = { width: 400, height: 240 } as const;

/** Deterministic: the same seed gives the same landscape. */
function generateLandscape(seed: string, scene: StoryScene): Landscape {
  const random = createSeededRandom(hashToSeed(seed + scene));
  // Skips the first numbers, because similar seeds produce similar first numbers.
  for (let skipped = 0; skipped < 4; skipped += 1) random();
  const [top, bottom, sunColor, hillColor] = COLORS[Math.floor(random() * COLORS.length)] ?? COLORS[0];
  const house = { x: roundToTenths(132 + random() * 40), scale: roundToTenths(0.9 + random() * 0.35) };
  const isLeft = random() < 0.5;
  return {
    sky: { top, bottom },
    sun: {
      x: roundToTenths((isLeft ? 60 : 270) + random() * 70),
      y: roundToTenths(56 + random() * 50),
      r: roundToTenths(24 + random() * 14),
      color: sunColor,
    },
    hills: {
      color: hillColor,
      far: drawRidge(random, 150, 26),
      middle: drawRidge(random, 180, 16),
      near: drawRidge(random, 212, 8),
    },
    plane: { x: roundToTenths(180 + random() * 50), y: roundToTenths(64 + random() * 24) },
    house,
    pines: generatePines(random, scene === 'trip' ? undefined : house.x, scene === 'home' ? 190 : 160),
  };
}

/** A ridge of hills across the picture, closed along the bottom. */
function drawRidge(random: () => number, y: number, amplitude: number): string {
  let line = `M0 ${LANDSCAPE_SIZE.height}V${roundToTenths(y + random() * amplitude)}`;
  for (let x = 0; x < LANDSCAPE_SIZE.width; x += 80) {
    const bend = roundToTenths(y + (random() - 0.5) * 2 * amplitude);
    line += `S${x + 45} ${bend} ${x + 80} ${roundToTenths(y + (random() - 0.5) * amplitude)}`;
  }
  return `${line}V${LANDSCAPE_SIZE.height}Z`;
}

/** Places pines along the ground, except in the yard of the house. */
function generatePines(random: () => number, houseX: number | undefined, yard: number): Pine[] {
  const pines = Array.from({ length: 9 }, () => ({
    x: roundToTenths(random() * LANDSCAPE_SIZE.width),
    y: roundToTenths(212 + random() * 16),
    scale: roundToTenths(0.7 + random() * 0.5),
  }));
  return pines.filter(({ x }) => houseX === undefined || x < houseX - 34 || x > houseX + yard);
}

type StoryLandscapeProps = { seed: string; scene: StoryScene; className?: string | undefined };

/** The picture of a story without a photo. Decorative: the name is next to it. */
export function StoryLandscape({ seed, scene, className }: StoryLandscapeProps) {
  const sky = useId();
  const landscape = generateLandscape(seed, scene);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${LANDSCAPE_SIZE.width} ${LANDSCAPE_SIZE.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <linearGradient id={sky} x2="0" y2="1">
        <stop stopColor={landscape.sky.top} />
        <stop offset={1} stopColor={landscape.sky.bottom} />
      </linearGradient>
      <rect width={LANDSCAPE_SIZE.width} height={LANDSCAPE_SIZE.height} fill={`url(#${sky})`} />
      <circle cx={landscape.sun.x} cy={landscape.sun.y} r={landscape.sun.r} fill={landscape.sun.color} />
      <path d={landscape.hills.far} fill={landscape.hills.color} opacity={0.45} />
      <path d={landscape.hills.middle} fill={landscape.hills.color} opacity={0.75} />
      {scene === 'trip' && <Plane {...landscape.plane} />}
      {scene !== 'trip' && <House x={landscape.house.x} y={218} scale={landscape.house.scale} dark />}
      {scene === 'home' && (
        <House x={landscape.house.x + 92} y={215} scale={landscape.house.scale * 0.8} dark={false} />
      )}
      <path d={landscape.hills.near} fill={landscape.hills.color} />
      <Pines pines={landscape.pines} />
      {scene === 'work' && <HeatPump x={landscape.house.x + 74 * landscape.house.scale} />}
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
