import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, ellipse, line, path, rect } from '#scripts/drawing/svg.ts';
import type { Scene } from './canvas.ts';
import {
  bookshelf,
  curtains,
  indoorUnit,
  lampLight,
  mug,
  pendant,
  pottedPlant,
  room,
  rug,
  table,
  view,
} from './interiors.ts';
import { person, skins } from './people.ts';

/** A kitchen on a winter evening. */
export const kitchen: Scene = (canvas) =>
  [
    room('#e9dcc0', '#9a6b43', 720),
    view(canvas, 430, 130, 340, 260) + curtains(430, 130, 340, 260, palette.brick),
    cupboards(),
    rect(60, 520, 1080, 24, palette.oak) + rect(70, 544, 1060, 190, palette.spruce700),
    line('M330 560V724M600 560V724M870 560V724', palette.spruce900, 5) +
      line('M290 620v40M370 620v40M560 620v40M640 620v40M910 620v40', palette.lampHigh, 8),
    kettle(250, 520),
    line('M600 520V452q0-34 34-34t34 34v10', '#8fa3a1', 12) +
      mug(860, 520, palette.clay) +
      pottedPlant(990, 520, 0.6, palette.brick),
    person({
      x: 480,
      y: 860,
      height: 420,
      skin: skins[0],
      hair: 'bun',
      hairColor: '#d8d2c6',
      top: palette.blush,
      legs: '#33474a',
      pose: 'hold',
    }),
    mug(500, 604, '#fff'),
  ].join('');

function cupboards(): string {
  const door = (x: number) =>
    rect(x, 110, 130, 240, palette.spruce500, { rx: 4 }) +
    rect(x + 16, 126, 98, 208, palette.spruce700, { rx: 3, opacity: 0.5 }) +
    circle(x + 112, 300, 7, palette.lampHigh);
  return [60, 200, 880, 1020].map(door).join('');
}

function kettle(x: number, y: number): string {
  const steam = line(d`M${x + 86} ${y - 96}q22-26 4-54t10-60`, '#fff', 7, { opacity: 0.7 });
  const pot =
    path(d`M${x - 62} ${y}q-12-96 40-110h44q52 14 40 110Z`, palette.clay) +
    line(d`M${x - 36} ${y - 110}q36-66 72 0`, '#33302a', 10);
  return (
    rect(x - 110, y - 4, 220, 8, '#20282a') +
    steam +
    line(d`M${x + 52} ${y - 60}l34-30`, palette.clay, 18) +
    pot +
    circle(x, y - 116, 9, '#33302a')
  );
}

/** A day nursery in a living room. */
export const playroom: Scene = (canvas) =>
  [
    room('#cfe3d8', '#c89a68', 660),
    view(canvas, 130, 150, 270, 300) + indoorUnit(690, 130, 330),
    bookshelf(canvas, 880, 662, 260, 3),
    rug(560, 770, 820, '#e5b25f', palette.clay),
    person({
      x: 520,
      y: 770,
      height: 330,
      skin: skins[2],
      hair: 'long',
      hairColor: '#2a1b12',
      top: palette.spruce500,
      legs: '#33474a',
      pose: 'wave',
    }),
    person({
      x: 350,
      y: 790,
      height: 170,
      skin: skins[3],
      hair: 'curly',
      hairColor: '#1d1512',
      top: palette.lamp,
      legs: '#2b5a7a',
      pose: 'wave',
      mirrored: true,
    }),
    person({
      x: 700,
      y: 796,
      height: 150,
      skin: skins[0],
      hair: 'bun',
      hairColor: '#b5793c',
      top: palette.clay,
      legs: '#3f6b5a',
      pose: 'reach',
    }),
    person({
      x: 800,
      y: 780,
      height: 160,
      skin: skins[5],
      hair: 'short',
      hairColor: '#140d0a',
      top: '#8cc7cb',
      legs: '#5b3f2c',
      pose: 'hold',
      mirrored: true,
    }),
    blocks(),
  ].join('');

function blocks(): string {
  const colors = [palette.brick, palette.spruce500, palette.lamp, '#3a7ca0', palette.blush, palette.sage];
  const spots = [
    [880, 800],
    [938, 800],
    [908, 742],
    [190, 812],
    [248, 812],
    [430, 830],
  ] as const;
  return spots
    .map(
      ([x, y], index) =>
        rect(x, y, 54, 54, colors[index] ?? palette.lamp, { rx: 6 }) +
        circle(x + 27, y + 27, 13, '#fff', { opacity: 0.45 }),
    )
    .join('');
}

/** Supper for many, around one table. */
export const supperTable: Scene = (canvas) =>
  [
    room('#7a4534', '#4d3325', 650),
    view(canvas, 130, 150, 250, 280) + view(canvas, 820, 150, 250, 280),
    pendant(600, 190, palette.lamp) + lampLight(600, 400, 520, 0.9),
    ...[
      person({
        x: 270,
        y: 800,
        height: 330,
        skin: skins[3],
        hair: 'short',
        hairColor: '#1d1512',
        top: palette.spruce500,
        legs: '#20282a',
        pose: 'carry',
      }),
      person({
        x: 420,
        y: 790,
        height: 250,
        skin: skins[4],
        hair: 'curly',
        hairColor: '#140d0a',
        top: palette.lamp,
        legs: '#20282a',
        pose: 'wave',
      }),
      person({
        x: 610,
        y: 796,
        height: 330,
        skin: skins[2],
        hair: 'bun',
        hairColor: '#2a1b12',
        top: palette.cream,
        legs: '#20282a',
        pose: 'hold',
      }),
      person({
        x: 760,
        y: 790,
        height: 270,
        skin: skins[3],
        hair: 'long',
        hairColor: '#1d1512',
        top: palette.blush,
        legs: '#20282a',
        pose: 'stand',
      }),
      person({
        x: 900,
        y: 800,
        height: 320,
        skin: skins[2],
        hair: 'bald',
        hairColor: '#fff',
        top: '#8cc7cb',
        legs: '#20282a',
        pose: 'carry',
        mirrored: true,
      }),
    ],
    table(150, 880, 900, 220, palette.oak) + rect(150, 650, 900, 40, palette.cream, { rx: 6 }),
    dishes(),
  ].join('');

function dishes(): string {
  const plates = [250, 400, 770, 930].map(
    (x) => ellipse(x, 652, 60, 13, '#fff') + ellipse(x, 650, 38, 8, palette.door),
  );
  const pot =
    path('M474 650q-5-52 18-54h70q24 2 19 54Z', palette.brick) +
    rect(468, 590, 118, 13, '#7d2c1f', { rx: 6 }) +
    circle(527, 586, 9, '#7d2c1f');
  return plates.join('') + pot + line('M508 566q12-16 0-32t4-32M546 566q12-16 0-32t4-32', '#fff', 5, { opacity: 0.6 });
}
