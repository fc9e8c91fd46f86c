import { palette } from './palette.ts';
import { line, path, rect, svg } from './svg.ts';

/** The fund's mark, a house that is one lit window, on a night tile so that it shows on light browser tabs too. */
export function houseMarkSvg(): string {
  const house = path('M6 14.500 16 6l10 8.500V26H6Z', palette.lamp);
  const bars = line('M16 13.500v8M12 17.500h8', palette.night, 2.2, { 'stroke-linecap': 'butt' });
  return svg(32, 32, {}, rect(0, 0, 32, 32, palette.night, { rx: 7 }), house, bars);
}
