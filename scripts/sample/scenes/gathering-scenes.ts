import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, ellipse, line, path, polygon, rect } from '#scripts/drawing/svg.ts';
import { type Canvas, type Scene, WIDTH } from './canvas.ts';
import { backdrop, broadTree, glow, ground, snowfall, woods } from './outdoors.ts';
import { person, skins } from './people.ts';

/** A wedding under strings of bulbs. */
export const stringLights: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [900, 190]),
    ground(canvas, 620),
    broadTree(canvas, 90, 760, 560) + broadTree(canvas, 1120, 750, 600),
    glow(600, 560, 520, 0.55),
    bulbs([90, 330], [620, 300], 120) + bulbs([620, 300], [1120, 320], 110) + bulbs([140, 440], [1080, 430], 150),
    ellipse(600, 790, 470, 60, '#d9b98a') + ellipse(600, 784, 450, 52, '#e9cfa4'),
    guests(),
  ].join('');

function bulbs([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], sag: number): string {
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2 + sag] as const;
  const points = Array.from({ length: 11 }, (_, index) => {
    const [t, u] = [index / 10, 1 - index / 10];
    return [u * u * x1 + 2 * u * t * middle[0] + t * t * x2, u * u * y1 + 2 * u * t * middle[1] + t * t * y2] as const;
  });
  const lit = points.map(([x, y]) => glow(x, y + 10, 46, 0.8) + circle(x, y + 10, 9, palette.lampPale));
  return line(d`M${x1} ${y1}Q${middle[0]} ${middle[1]} ${x2} ${y2}`, '#07202a', 4) + lit.join('');
}

function guests(): string {
  const base = { height: 250, legs: '#12343c' } as const;
  return [
    person({
      ...base,
      x: 250,
      y: 770,
      skin: skins[4],
      hair: 'curly',
      hairColor: '#1d1512',
      top: palette.spruce500,
      pose: 'wave',
    }),
    person({
      ...base,
      x: 350,
      y: 778,
      height: 236,
      skin: skins[1],
      hair: 'long',
      hairColor: '#7a4a26',
      top: palette.blush,
      pose: 'stand',
    }),
    person({
      ...base,
      x: 548,
      y: 800,
      height: 268,
      skin: skins[2],
      hair: 'short',
      hairColor: '#20160f',
      top: '#17323a',
      pose: 'carry',
    }),
    person({
      ...base,
      x: 650,
      y: 800,
      height: 256,
      skin: skins[5],
      hair: 'bun',
      hairColor: '#140d0a',
      top: '#fff8ea',
      legs: '#fff8ea',
      pose: 'carry',
      mirrored: true,
    }),
    path('M612 680H690L724 800H588Z', '#fff8ea'),
    person({
      ...base,
      x: 850,
      y: 776,
      skin: skins[0],
      hair: 'bald',
      hairColor: '#fff',
      top: palette.clay,
      pose: 'wave',
      mirrored: true,
    }),
    person({
      ...base,
      x: 945,
      y: 780,
      height: 226,
      skin: skins[3],
      hair: 'scarf',
      hairColor: palette.lamp,
      top: palette.spruce700,
      legs: palette.spruce700,
      pose: 'hold',
    }),
  ].join('');
}

/** A meeting house in the snow, with a congregation inside. */
export const meetingHouse: Scene = (canvas) => {
  const windows = [350, 440, 708, 798].map((x) => archedWindow(x, 690));
  return [
    backdrop(canvas, 600, [240, 190]),
    woods(canvas, 660, 30, [120, 230], [280, 920]),
    ground(canvas, 690),
    glow(600, 640, 480, 0.6),
    polygon(
      [
        [300, 730],
        [300, 500],
        [600, 330],
        [900, 500],
        [900, 730],
      ],
      '#f3ece0',
    ),
    line('M280 512 600 328 920 512', '#fff', 34) + line('M290 524 600 346 910 524', '#54433a', 12),
    rect(540, 190, 120, 190, '#f3ece0') +
      polygon(
        [
          [526, 192],
          [600, 60],
          [674, 192],
        ],
        '#54433a',
      ) +
      line('M596 66 530 188', '#fff', 14),
    archedWindow(574, 300),
    ...windows,
    rect(548, 560, 104, 172, palette.cream) +
      path('M560 730V610q0-40 40-40t40 40V730Z', palette.brick) +
      line('M600 572V730', '#7d2c1f', 4),
    path('M300 730Q600 700 900 730L980 780H220Z', '#fff', { opacity: 0.8 }),
    path('M562 732H638L700 900H480Z', '#9fbac2'),
    snowfall(canvas.random, 120),
  ].join('');
};

function archedWindow(x: number, y: number): string {
  const outline = d`M${x} ${y}v-104q0-34 26-34t26 34v104Z`;
  return (
    path(outline, 'url(#lamp)', { stroke: palette.cream, 'stroke-width': 8 }) +
    line(d`M${x + 26} ${y}v-136M${x} ${y - 60}h52`, '#c98d3f', 3)
  );
}

/** A small ferry on its first crossing. */
export const ferryCrossing: Scene = (canvas) =>
  [
    backdrop(canvas, 470, [340, 230]),
    rect(0, 470, WIDTH, 430, '#5fa5a8') + rect(0, 470, WIDTH, 90, '#a9d3cf', { opacity: 0.55 }),
    waves(canvas),
    path('M250 640H960L900 740H330Z', palette.cream) + path('M266 668H944L900 740H330Z', palette.spruce700),
    rect(400, 540, 440, 100, '#fff') + rect(460, 450, 260, 90, '#f3ece0') + rect(452, 440, 276, 16, palette.clay),
    ...Array.from({ length: 6 }, (_, index) => rect(424 + index * 68, 566, 46, 40, '#6fa3a5', { rx: 6 })),
    ...Array.from({ length: 4 }, (_, index) => rect(480 + index * 60, 474, 42, 36, '#6fa3a5', { rx: 6 })),
    rect(760, 430, 54, 110, palette.clay) + rect(760, 452, 54, 18, palette.cream),
    person({
      x: 890,
      y: 646,
      height: 128,
      skin: skins[2],
      hair: 'beanie',
      hairColor: palette.lamp,
      top: palette.spruce500,
      legs: '#20373a',
      pose: 'wave',
    }),
    line('M850 640V600H950V640M900 640V600', '#54706f', 5),
    path(
      'M230 748q60-26 120 0t120 0 120 0 120 0 120 0 120 0v22q-60 26-120 0t-120 0-120 0-120 0-120 0-120 0Z',
      '#e6f3f0',
      { opacity: 0.8 },
    ),
    gulls(),
  ].join('');

function waves({ random }: Canvas): string {
  return Array.from({ length: 46 }, () => {
    const [x, y] = [random.between(-40, 1180), random.between(500, 880)];
    return line(d`M${x} ${y}q20-10 40 0t40 0`, '#cfe6e4', 4, { opacity: 0.5 });
  }).join('');
}

function gulls(): string {
  return line('M880 250q26-26 46 0 22-26 48 0M990 330q20-20 36 0 16-20 38 0M250 330q18-18 34 0 16-18 34 0', '#fff', 7);
}
