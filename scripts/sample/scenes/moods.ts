import { palette } from '#scripts/drawing/palette.ts';
import type { Stop } from '#scripts/drawing/svg.ts';

/** The hour and the season of a scene: its sky, its light, and the colours of hills and ground under that light. */
export type Mood = {
  readonly sky: readonly Stop[];
  /** Sun or moon. */
  readonly light: { readonly color: string; readonly halo: string; readonly radius: number };
  readonly far: string;
  readonly middle: string;
  readonly near: string;
  readonly ground: string;
  /** Trees and whatever else stands against the light. */
  readonly shade: string;
  readonly starry: boolean;
  readonly snowy: boolean;
};

export type MoodName = 'dusk' | 'night' | 'dawn' | 'day' | 'golden' | 'autumn' | 'winterDay' | 'winterNight';

const sun = { color: '#fff3d6', halo: '#ffe0a0', radius: 62 };
const moon = { color: '#f3efdd', halo: '#cfe3e0', radius: 46 };
const clear = { starry: false, snowy: false };

export const moods: Readonly<Record<MoodName, Mood>> = {
  dusk: {
    sky: [
      [0, palette.spruce900],
      [0.3, '#14555c'],
      [0.52, '#5f9f96'],
      [0.66, palette.apricot],
      [0.8, palette.peach],
    ],
    light: { color: '#ffedc4', halo: '#ffc46a', radius: 58 },
    ...{ far: '#7fa893', middle: '#3f7d78', near: '#1f6162', ground: '#0f4147', shade: '#0a2f36' },
    ...{ starry: true, snowy: false },
  },
  night: {
    sky: [
      [0, palette.night],
      [0.5, '#0f3c47'],
      [1, '#2b6a74'],
    ],
    light: moon,
    ...{ far: '#1f5a61', middle: '#174c53', near: '#113d45', ground: '#0c313a', shade: '#08252d' },
    ...{ starry: true, snowy: false },
  },
  dawn: {
    sky: [
      [0, '#78b5b3'],
      [0.4, '#bfdfd4'],
      [0.66, '#f8e2b4'],
      [0.82, '#f7c98d'],
    ],
    light: sun,
    ...{ far: '#a5cbbd', middle: '#71a89c', near: '#3f807c', ground: '#2c6b69', shade: '#1c5256' },
    ...clear,
  },
  day: {
    sky: [
      [0, '#8cc7cb'],
      [0.5, '#c6e3df'],
      [0.85, '#f4f3e4'],
    ],
    light: { color: '#fff6dc', halo: '#fff1c4', radius: 56 },
    ...{ far: '#a6cfc0', middle: '#79b09c', near: '#4c8e7c', ground: '#5d9c76', shade: '#22635c' },
    ...clear,
  },
  golden: {
    sky: [
      [0, '#f0b873'],
      [0.45, '#f6cf93'],
      [0.8, '#fcebc6'],
    ],
    light: { color: '#fff6da', halo: '#fff0c0', radius: 74 },
    ...{ far: '#c3a274', middle: '#7d9272', near: '#3f7568', ground: '#245c57', shade: '#123f43' },
    ...clear,
  },
  autumn: {
    sky: [
      [0, '#a9cdca'],
      [0.5, '#dfe6d3'],
      [0.85, '#f9e6bd'],
    ],
    light: sun,
    ...{ far: '#c9b98c', middle: '#c78f55', near: '#8a7a4c', ground: '#6d7f55', shade: '#47583f' },
    ...clear,
  },
  winterDay: {
    sky: [
      [0, '#9cc3cc'],
      [0.5, '#cfe1e4'],
      [0.85, '#f7eddb'],
    ],
    light: { color: '#fffaf0', halo: '#fff4d8', radius: 52 },
    ...{ far: '#bcd3d8', middle: '#9dbdc4', near: '#d7e6e8', ground: '#f1f6f5', shade: '#3b6e74' },
    ...{ starry: false, snowy: true },
  },
  winterNight: {
    sky: [
      [0, palette.night],
      [0.55, '#134250'],
      [1, '#3f7f8a'],
    ],
    light: moon,
    ...{ far: '#2d636f', middle: '#245361', near: '#7ea3ae', ground: '#b9d0d6', shade: '#0f3842' },
    ...{ starry: true, snowy: true },
  },
};
