import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, ellipse, line, path, rect } from '#scripts/drawing/svg.ts';
import type { Scene } from './canvas.ts';
import {
  bookshelf,
  curtains,
  floorLamp,
  indoorUnit,
  lampLight,
  pottedPlant,
  room,
  rug,
  sleepingDog,
  view,
} from './interiors.ts';

/** An armchair, a book and a dog, and no draft. */
export const armchairEvening: Scene = (canvas) =>
  [
    room('#2b5f62', '#6b4226', 690),
    view(canvas, 150, 130, 280, 330) + curtains(150, 130, 280, 330, palette.apricot),
    bookshelf(canvas, 880, 692, 250, 5),
    indoorUnit(520, 110, 300),
    lampLight(800, 420, 460, 0.9),
    rug(580, 800, 860, '#a5533f', '#7d3a2b'),
    floorLamp(820, 770, 430),
    armchair(570, 780),
    sleepingDog(300, 826, 1, '#c08a50', '#8a5a2e'),
  ].join('');

function armchair(x: number, y: number): string {
  const at = (dx: number, dy: number) => d`${x + dx} ${y + dy}`;
  return [
    path(
      `M${at(-150, -60)}V${y - 300}Q${at(-150, -380)} ${at(0, -380)}T${at(150, -300)}V${y - 60}Z`,
      palette.spruce800,
    ),
    circle(x, y - 350, 44, '#e0ac84') +
      path(
        `M${at(-46, -356)}Q${at(-40, -408)} ${at(6, -402)}T${at(46, -352)}Q${at(0, -384)} ${at(-46, -356)}Z`,
        '#e9e4da',
      ),
    path(`M${at(-78, -130)}Q${at(-90, -290)} ${at(0, -300)}T${at(78, -130)}Z`, palette.cream),
    path(
      `M${at(-90, -150)}H${x + 90}L${at(110, -40)}L${at(84, 6)}H${x + 40}L${at(20, -70)}H${x - 20}L${at(-40, 6)}H${x - 84}L${at(-110, -40)}Z`,
      '#33474a',
    ),
    rect(x - 190, y - 190, 76, 190, palette.spruce700, { rx: 34 }) +
      rect(x + 114, y - 190, 76, 190, palette.spruce700, { rx: 34 }),
    path(
      `M${at(-74, -214)}L${at(0, -196)}L${at(74, -214)}V${y - 140}L${at(0, -122)}L${at(-74, -140)}Z`,
      palette.brick,
    ) + line(`M${at(0, -196)}V${y - 122}`, '#7d2c1f', 4),
    circle(x - 74, y - 168, 17, '#e0ac84') + circle(x + 74, y - 168, 17, '#e0ac84'),
    rect(x - 170, y - 6, 30, 22, '#33302a') + rect(x + 140, y - 6, 30, 22, '#33302a'),
  ].join('');
}

/** A small bedroom, with somebody asleep in it. */
export const childsRoom: Scene = (canvas) =>
  [
    room('#31696f', '#8a6242', 690),
    view(canvas, 430, 110, 340, 290) + curtains(430, 110, 340, 290, palette.lampHigh),
    paperStars(),
    lampLight(240, 500, 360, 0.9),
    rect(160, 560, 160, 160, palette.oak, { rx: 6 }) + rect(176, 600, 128, 8, palette.walnut),
    path('M206 470h68l22 60H184Z', palette.lamp) + line('M240 530v30', '#33302a', 8),
    bed(),
    rug(600, 830, 760, '#3d8f8a', '#2b7277'),
    pottedPlant(1080, 720, 0.9, palette.clay),
  ].join('');

function paperStars(): string {
  const strings = [
    [130, 120],
    [230, 190],
    [330, 110],
    [880, 130],
    [980, 200],
    [1080, 120],
  ] as const;
  return strings
    .map(
      ([x, y]) =>
        line(d`M${x} 0V${y}`, '#e6efec', 2, { opacity: 0.6 }) +
        path(d`M${x} ${y - 24}l8 16 18 2-13 12 3 18-16-8-16 8 3-18-13-12 18-2Z`, palette.lampHigh),
    )
    .join('');
}

function bed(): string {
  return [
    rect(380, 470, 40, 290, palette.oak, { rx: 8 }) +
      rect(900, 540, 36, 220, palette.oak, { rx: 8 }) +
      rect(400, 640, 510, 90, palette.walnut),
    rect(410, 590, 500, 80, '#fff', { rx: 22 }),
    rect(430, 540, 170, 80, '#f6ede0', { rx: 34 }),
    circle(540, 556, 42, '#7f4f33') + path('M498 556q-6-52 44-52t42 46q-24-20-44-14t-42 20Z', '#1d1512'),
    path('M580 600Q620 540 740 556T912 600V690H560Q540 640 580 600Z', palette.clay) +
      path('M580 600q-30 30-20 90h44q-20-60 20-100Z', palette.cream),
    ...[640, 720, 800, 870].map((x) => circle(x, 634, 13, palette.lampHigh)),
    ellipse(640, 520, 30, 26, '#c08a50') + circle(618, 498, 11, '#c08a50') + circle(662, 498, 11, '#c08a50'),
  ].join('');
}
