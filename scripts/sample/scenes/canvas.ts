import { palette } from '#scripts/drawing/palette.ts';
import type { Random } from '#scripts/drawing/seeded-random.ts';
import { element, radialGradient, svg, verticalGradient } from '#scripts/drawing/svg.ts';
import type { Mood } from './moods.ts';

/** Scenes are drawn 1200 × 900; what matters stands in the middle, for cards crop the edges. */
export const WIDTH = 1200;
export const HEIGHT = 900;

/** What a scene is drawn with: its hour and season, and its own random numbers. */
export type Canvas = { readonly mood: Mood; readonly random: Random };

/** A scene's shapes, back to front, without the frame. */
export type Scene = (canvas: Canvas) => string;

/** Closes shapes into a picture, with the gradients that the shapes name: sky, halo, lamp, glow, shine. */
export function framed({ mood }: Canvas, shapes: string): string {
  const gradients = element(
    'defs',
    {},
    verticalGradient('sky', mood.sky),
    radialGradient('halo', [
      [0, mood.light.halo, 0.75],
      [0.35, mood.light.halo, 0.28],
      [1, mood.light.halo, 0],
    ]),
    verticalGradient('lamp', [
      [0, palette.lampPale],
      [1, '#ffbe4a'],
    ]),
    radialGradient('glow', [
      [0, '#ffd27a', 0.6],
      [1, '#ffd27a', 0],
    ]),
    verticalGradient('shine', [
      [0, '#bfe0dc'],
      [1, '#7fb7b5'],
    ]),
  );
  return svg(WIDTH, HEIGHT, { width: WIDTH, height: HEIGHT }, gradients, shapes);
}
