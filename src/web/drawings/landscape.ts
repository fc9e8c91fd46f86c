import { seededNumbers, seedOf } from './seeded-numbers.ts';

/** What a story is about: a trip that was offset, work that was done, a home that was helped. */
export type StoryScene = 'trip' | 'work' | 'home';

export type Pine = { readonly x: number; readonly y: number; readonly scale: number };
export type Landscape = {
  readonly sky: { readonly top: string; readonly bottom: string };
  readonly sun: { readonly x: number; readonly y: number; readonly r: number; readonly color: string };
  readonly hills: { readonly color: string; readonly far: string; readonly middle: string; readonly near: string };
  readonly plane: { readonly x: number; readonly y: number };
  readonly house: { readonly x: number; readonly scale: number };
  readonly pines: readonly Pine[];
};

/** Sky from top to bottom, sun, hills. */
const COLORS = [
  ['#0e3f49', '#2b7277', '#f4c988', '#17585b'],
  ['#f4c988', '#f6b26a', '#fff1cf', '#2b7277'],
  ['#bfe0dc', '#8fc4bd', '#fff7e3', '#17585b'],
  ['#123f41', '#17585b', '#ffd684', '#0b2b33'],
  ['#d9ebe6', '#f6d9a4', '#fff', '#3d7c78'],
  ['#2b7277', '#7fb3a5', '#ffe7ac', '#103f45'],
] as const;

export const LANDSCAPE = { width: 400, height: 240 } as const;

/** The landscape of a story without a photo: always the same for the same seed. */
export function landscapeOf(seed: string, scene: StoryScene): Landscape {
  const number = seededNumbers(seedOf(seed + scene));
  // The first numbers of near seeds are near each other.
  for (let skipped = 0; skipped < 4; skipped += 1) number();
  const [top, bottom, sunColor, hillColor] = COLORS[Math.floor(number() * COLORS.length)] ?? COLORS[0];
  const house = { x: tenths(132 + number() * 40), scale: tenths(0.9 + number() * 0.35) };
  const isLeft = number() < 0.5;
  return {
    sky: { top, bottom },
    sun: {
      x: tenths((isLeft ? 60 : 270) + number() * 70),
      y: tenths(56 + number() * 50),
      r: tenths(24 + number() * 14),
      color: sunColor,
    },
    hills: {
      color: hillColor,
      far: ridge(number, 150, 26),
      middle: ridge(number, 180, 16),
      near: ridge(number, 212, 8),
    },
    plane: { x: tenths(180 + number() * 50), y: tenths(64 + number() * 24) },
    house,
    pines: pinesBeside(number, scene === 'trip' ? undefined : house.x, scene === 'home' ? 190 : 160),
  };
}

/** A hill line across the picture, closed along its bottom. */
function ridge(number: () => number, y: number, amplitude: number): string {
  let line = `M0 ${LANDSCAPE.height}V${tenths(y + number() * amplitude)}`;
  for (let x = 0; x < LANDSCAPE.width; x += 80) {
    const bend = tenths(y + (number() - 0.5) * 2 * amplitude);
    line += `S${x + 45} ${bend} ${x + 80} ${tenths(y + (number() - 0.5) * amplitude)}`;
  }
  return `${line}V${LANDSCAPE.height}Z`;
}

/** Pines along the ground, with the yard of a house kept free. */
function pinesBeside(number: () => number, houseX: number | undefined, yard: number): Pine[] {
  const pines = Array.from({ length: 9 }, () => ({
    x: tenths(number() * LANDSCAPE.width),
    y: tenths(212 + number() * 16),
    scale: tenths(0.7 + number() * 0.5),
  }));
  return pines.filter(({ x }) => houseX === undefined || x < houseX - 34 || x > houseX + yard);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
