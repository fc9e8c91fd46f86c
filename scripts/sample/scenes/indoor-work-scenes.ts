import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, ellipse, line, path, polygon, rect } from '#scripts/drawing/svg.ts';
import type { Canvas, Scene } from './canvas.ts';
import { lampLight } from './interiors.ts';
import { person, skins } from './people.ts';

/** Under the rafters, with a work light and a sea of cellulose. */
export const atticWork: Scene = (canvas) =>
  [
    rect(0, 0, 1200, 900, '#3a2a20'),
    polygon(
      [
        [600, -60],
        [1260, 700],
        [-60, 700],
      ],
      '#6b4a30',
    ),
    rafters(),
    circle(600, 300, 66, palette.cream) +
      circle(600, 300, 54, 'url(#shine)') +
      line('M546 300h108M600 246v108', palette.cream, 8),
    lampLight(820, 520, 560, 0.95),
    rect(790, 470, 56, 44, '#20282a', { rx: 6 }) +
      rect(798, 478, 40, 28, '#fff4cf') +
      line('M818 514V700M818 690l-34 20M818 690l34 20', '#20282a', 7),
    person({
      x: 500,
      y: 740,
      height: 350,
      skin: skins[4],
      hair: 'hardHat',
      hairColor: palette.lamp,
      top: '#e6efec',
      legs: '#cddcd8',
      pose: 'carry',
    }),
    line('M0 640Q240 560 430 560T590 536', '#2b2a26', 34) + line('M0 640Q240 560 430 560T590 536', '#5d7f80', 22),
    spray(canvas),
    cellulose(canvas),
  ].join('');

function rafters(): string {
  const beams = [-420, -210, 0, 210, 420].map((shift) => d`M600-40L${600 + shift * 1.6} 720`);
  return line(beams.join(''), '#4d3322', 22) + line('M180 420H1020M60 560H1140', '#4d3322', 16);
}

function spray({ random }: Canvas): string {
  return Array.from({ length: 60 }, () => {
    const reach = random.next();
    return circle(600 + reach * 190, 540 + reach * random.between(-20, 130), random.between(3, 8), '#dfe4dc', {
      opacity: 0.9 - reach * 0.5,
    });
  }).join('');
}

function cellulose({ random }: Canvas): string {
  const heaps = Array.from({ length: 26 }, (_, index) =>
    ellipse(
      index * 50 - 20,
      random.between(716, 760),
      random.between(60, 100),
      random.between(34, 58),
      random.pick(['#b9bfb8', '#a9b0aa', '#c8cdc4']),
    ),
  );
  return (
    heaps.join('') +
    rect(0, 756, 1200, 150, '#9aa39d') +
    Array.from({ length: 70 }, () => ellipse(random.between(0, 1200), random.between(760, 890), 9, 4, '#c8cdc4')).join(
      '',
    )
  );
}

/** A breaker panel in a cellar, being made ready for the heat pump. */
export const breakerPanel: Scene = () =>
  [
    rect(0, 0, 1200, 900, '#5d7474') + stones() + rect(0, 770, 1200, 130, '#3d4f50'),
    line('M0 90H1200M0 130H1200', '#8d9c98', 16) + line('M720 0V210M780 0V210M840 0V210', '#20282a', 12),
    lampLight(640, 360, 560, 0.8) +
      line('M430 0V180', '#20282a', 5) +
      path('M390 210l16-36h48l16 36Z', palette.spruce800) +
      circle(430, 216, 22, palette.lampPale),
    rect(650, 210, 270, 400, '#cddcd8', { rx: 8 }) + rect(676, 236, 218, 348, '#8fa3a1', { rx: 4 }),
    rect(920, 214, 150, 392, '#e6efec', { rx: 6 }) +
      rect(944, 250, 100, 160, '#fff') +
      line('M956 276h76M956 300h76M956 324h76M956 348h50', '#8fa3a1', 5),
    breakers(),
    person({
      x: 480,
      y: 850,
      height: 480,
      skin: skins[1],
      hair: 'short',
      hairColor: '#3a2d24',
      top: '#3a7ca0',
      legs: '#33302a',
      pose: 'point',
    }),
    line('M652 478l34-4', palette.clay, 15) + line('M686 474l40-3', '#e6efec', 6),
    rect(170, 690, 170, 110, palette.oak, { rx: 4 }) +
      line('M255 640a40 40 0 1 0 .1 0M255 660a20 20 0 1 0 .1 0', '#f5b83d', 12),
  ].join('');

function stones(): string {
  const rows = Array.from({ length: 11 }, (_, row) => {
    const joints = Array.from({ length: 9 }, (_unused, column) => d`M${column * 150 + (row % 2) * 75} ${row * 70}v70`);
    return d`M0 ${row * 70}H1200` + joints.join('');
  });
  return line(rows.join(''), '#07202a', 3, { opacity: 0.14 });
}

function breakers(): string {
  return Array.from({ length: 16 }, (_, index) => {
    const [x, y] = [694 + (index % 2) * 96, 256 + Math.floor(index / 2) * 40];
    const on = index !== 15;
    return (
      rect(x, y, 86, 30, '#20282a', { rx: 3 }) +
      rect(on ? x + 50 : x + 8, y + 6, 28, 18, on ? '#e6efec' : palette.lamp, { rx: 3 })
    );
  }).join('');
}

/** A heat pump water heater where the boiler used to be. */
export const waterHeater: Scene = () =>
  [
    rect(0, 0, 1200, 900, '#d7cfbf') +
      rect(0, 740, 1200, 160, '#8d8477') +
      line('M0 740H1200', '#fff', 10, { opacity: 0.5 }),
    rect(80, 120, 250, 130, '#bfe0dc') +
      line('M205 120v130', '#fff', 10) +
      rect(64, 104, 282, 162, 'none', { stroke: '#fff', 'stroke-width': 18 }),
    path('M94 250q30-50 60-20t60-16 100 36Z', '#57a37f'),
    line('M640 0V180M740 0V180', '#b9652f', 20) + line('M640 60H1200M740 110H1200', '#b9652f', 20),
    rect(560, 340, 260, 430, '#f4faf8', { rx: 34 }) + rect(548, 180, 284, 190, '#54706f', { rx: 26 }),
    ...[0, 1, 2, 3, 4].map((slat) => rect(580, 214 + slat * 22, 130, 9, '#33474a', { rx: 4 })),
    circle(774, 250, 30, '#20282a') +
      circle(774, 250, 20, '#63b78d') +
      rect(590, 420, 60, 200, '#cddcd8', { rx: 10 }) +
      line('M620 440v150', palette.clay, 12),
    rect(540, 768, 300, 22, '#54706f', { rx: 6 }),
    person({
      x: 400,
      y: 852,
      height: 440,
      skin: skins[2],
      hair: 'short',
      hairColor: '#17110d',
      top: palette.clay,
      legs: '#33474a',
      pose: 'point',
    }),
    line('M556 514l34-30', '#8d9c98', 13) + circle(598, 478, 16, '#8d9c98'),
    rect(930, 660, 180, 120, palette.spruce700, { rx: 8 }) +
      line('M970 660v-30q0-16 50-16t50 16v30', '#20282a', 10) +
      rect(930, 706, 180, 10, palette.spruce900),
  ].join('');
