import { palette } from '#scripts/drawing/palette.ts';
import { d, line, polygon, rect } from '#scripts/drawing/svg.ts';
import type { Scene } from './canvas.ts';
import { chimney, clapboards, gableHouse, sashWindow } from './houses.ts';
import { backdrop, broadTree, glow, ground, level, shadow } from './outdoors.ts';
import { person, skins } from './people.ts';
import { boxTruck } from './vehicles.ts';

/** Blowing insulation into an attic, from a truck by a hose. */
export const insulationTruck: Scene = (canvas) =>
  [
    backdrop(canvas, 540, [220, 200]),
    broadTree(canvas, 1120, 700, 380),
    ground(canvas, 650),
    chimney(860, 300, 50, 130, '#7d4a3a'),
    gableHouse({
      ...{ x: 600, y: 760, width: 440, height: 320, wall: '#c8d8c4', roof: '#54433a', door: palette.brick },
      ...{ windows: ['day', 'day', 'day'], doorAt: 0.64, trim: '#fff' },
    }),
    rect(786, 330, 68, 66, '#20282a') + glow(820, 364, 70, 0.8),
    level(canvas, 770, '#54666a') + rect(0, 770, 1200, 8, '#f2e3bd', { opacity: 0.4 }),
    shadow(320, 846, 560),
    line('M230 690Q520 740 560 560T780 380', '#2b2a26', 26) + line('M230 690Q520 740 560 560T780 380', '#5d7f80', 16),
    boxTruck(320, 848, 1.3, palette.spruce500),
    line('M690 792 770 300M746 792 826 316', palette.lampHigh, 11) + rungs(),
    person({
      x: 776,
      y: 560,
      height: 236,
      skin: skins[3],
      hair: 'hardHat',
      hairColor: palette.lamp,
      top: palette.spruce500,
      legs: '#33474a',
      pose: 'reach',
      vest: palette.vest,
    }),
  ].join('');

function rungs(): string {
  const steps = Array.from({ length: 10 }, (_, index) => d`M${696 + index * 7.6} ${752 - index * 46}h58`);
  return line(steps.join(''), palette.lampHigh, 9);
}

/** A new window on its way up. */
export const windowOnLadder: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [200, 250]),
    ground(canvas, 700),
    rect(280, 120, 700, 660, '#2b6b74') + clapboards(280, 120, 700, 660) + rect(262, 96, 736, 34, '#f3ece0'),
    sashWindow(360, 220, 150, 180, 'lit') +
      sashWindow(750, 500, 150, 180, 'lit') +
      sashWindow(360, 500, 150, 180, 'dark'),
    rect(738, 208, 174, 204, '#20282a') + line('M738 208h174v204h-174Z', '#f3ece0', 12),
    line('M566 850 660 190M650 850 744 190', palette.lampHigh, 14) +
      line(
        Array.from({ length: 11 }, (_, index) => d`M${577 + index * 8.4} ${790 - index * 58}h84`).join(''),
        palette.lampHigh,
        11,
      ),
    person({
      x: 672,
      y: 610,
      height: 330,
      skin: skins[2],
      hair: 'long',
      hairColor: '#2a1b12',
      top: palette.clay,
      legs: '#33474a',
      pose: 'reach',
    }),
    rect(716, 220, 120, 160, '#bfe0dc', { opacity: 0.85 }) +
      line('M716 220h120v160h-120ZM776 220v160M716 300h120', '#fff', 9),
    person({
      x: 480,
      y: 852,
      height: 320,
      skin: skins[4],
      hair: 'hardHat',
      hairColor: '#fff',
      top: '#8cc7cb',
      legs: '#33302a',
      pose: 'carry',
    }),
    level(canvas, 852, canvas.mood.shade),
  ].join('');

/** Up on the ridge at sunrise, around an old chimney. */
export const roofAtDawn: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [300, 300]),
    ground(canvas, 640, canvas.mood.near),
    polygon(
      [
        [-40, 900],
        [600, 470],
        [1240, 900],
      ],
      '#54433a',
    ) + shingles(),
    rect(540, 330, 150, 190, '#a65a44') + bricks() + rect(524, 312, 182, 26, '#8d9c98'),
    line('M520 520H712', '#cddcd8', 16),
    person({
      x: 800,
      y: 640,
      height: 330,
      skin: skins[0],
      hair: 'beanie',
      hairColor: palette.spruce500,
      top: palette.clay,
      legs: '#33474a',
      pose: 'carry',
      mirrored: true,
    }),
    rect(684, 432, 40, 26, '#20282a', { rx: 4 }) + line('M684 446h-34', '#20282a', 7),
    line('M1200 900 830 590', palette.lampHigh, 12) + line('M1128 900 800 624', palette.lampHigh, 12),
  ].join('');

function shingles(): string {
  const rows = Array.from({ length: 8 }, (_, row) => {
    const y = 530 + row * 48;
    const half = ((y - 470) / 430) * 640;
    return d`M${600 - half} ${y}H${600 + half}`;
  });
  return line(rows.join(''), '#07202a', 4, { opacity: 0.2 });
}

function bricks(): string {
  const rows = Array.from({ length: 9 }, (_, row) => {
    const y = 352 + row * 19;
    const joints = [0, 1, 2].map((column) => d`M${560 + column * 48 + (row % 2) * 24} ${y - 19}v19`);
    return d`M540 ${y}h150` + joints.join('');
  });
  return line(rows.join(''), '#7d3a2b', 3, { opacity: 0.55 });
}
