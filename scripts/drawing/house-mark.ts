import { palette } from './palette.ts';
import { at, line, path, rect, svg } from './svg.ts';

/** The fund's mark, a house that is one lit window, on a night tile so that it shows on light browser tabs too. */
export function houseMarkSvg(): string {
  return svg(32, 32, {}, rect(0, 0, 32, 32, palette.night, { rx: 7 }), house());
}

/**
 * The mark on a whole square, for those who cut a shape of their own out of it.
 * @param scale 1 as on the tile; up to 0.88 all of it is within the circle that nobody cuts into
 */
export function houseMarkSquareSvg(scale: number): string {
  const middle = 16 * (1 - scale);
  return svg(32, 32, {}, rect(0, 0, 32, 32, palette.night), at(middle, middle, house(), { scale }));
}

/** The mark alone, on nothing. */
export function houseMarkAloneSvg(): string {
  return svg(32, 32, {}, house());
}

function house(): string {
  const walls = path('M6 14.500 16 6l10 8.500V26H6Z', palette.lamp);
  return walls + line('M16 13.500v8M12 17.500h8', palette.night, 2.2, { 'stroke-linecap': 'butt' });
}
