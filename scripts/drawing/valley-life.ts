import { palette } from './palette.ts';
import { at, circle, d, line, path, rect } from './svg.ts';
import type { ValleyHouse } from './valley-house.ts';

/** Light from an open door, fallen on the ground before it. */
export function doorLight({ x, y, width, height, lit }: ValleyHouse): string {
  if (!lit.door) return '';
  const [left, right] = [x + width * 0.6, x + width * 0.82];
  const reach = height * 0.34;
  const beam = d`M${left} ${y}H${right}L${right + width * 0.16} ${y + reach}H${left - width * 0.16}Z`;
  return path(beam, palette.lamp, { opacity: 0.2 });
}

/** The outdoor unit of a heat pump beside the house's left wall. */
export function outdoorUnit({ x, y }: ValleyHouse): string {
  const box = rect(0, -20, 24, 19, palette.mist200, { rx: 2 }) + rect(19, -17, 2, 13, '#8fb3ad');
  const fan = circle(9.5, -10.5, 6.5, '#6d8a89') + line('M9.500-16v11M4-10.500h11', palette.mist100, 1.4);
  return at(x - 31, y, box + fan);
}

/** Two neighbors out with a dog. */
export function walkers(x: number, y: number): string {
  return at(x, y, walker(0, palette.apricot, '#0a2a2f') + walker(21, palette.clay, '#3c2a24') + dog(41));
}

function walker(x: number, coat: string, hair: string): string {
  const legs = line(d`M${x - 2} ${-13}l-3 13M${x + 2} ${-13}l4 13`, '#07222a', 3.4);
  const body = path(d`M${x - 6} ${-11}L${x - 4} ${-26}Q${x} ${-31} ${x + 4} ${-26}L${x + 6} ${-11}Z`, coat);
  return (
    legs +
    body +
    circle(x, -33, 4.6, '#d9a47a') +
    path(d`M${x - 5} ${-32}a5 5.200 0 0 1 9.600-2.400q-4-1-6 1.400Z`, hair)
  );
}

function dog(x: number): string {
  const legs = line(d`M${x} ${-6}v6M${x + 11} ${-6}v6`, '#e6d3b1', 2.4);
  const body = line(d`M${x} ${-8}h11M${x - 1} ${-8}l-3-6M${x + 11} ${-9}l3-5`, '#e6d3b1', 4.2);
  return line(d`M${x - 15} ${-19}L${x + 11} ${-10}`, '#07222a', 0.8) + legs + body + circle(x + 15, -15, 3, '#e6d3b1');
}

/** A sail on the lake, with its light on the water. */
export function sailboat(x: number, y: number): string {
  const sails = path('M0-34V-4H-17Q-5-16 0-34Z', palette.cream) + path('M2.500-29Q12-16 14-4H2.500Z', '#f2d9b0');
  const hull = path('M-20-2H18Q14 6 8 6H-12Q-17 4-20-2Z', palette.spruce800);
  return at(x, y, sails + hull + line('M-14 10h26M-8 15h16', palette.cream, 1.6, { opacity: 0.45 }));
}
