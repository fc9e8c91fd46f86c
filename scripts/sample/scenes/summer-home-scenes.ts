import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, line, path, rect } from '#scripts/drawing/svg.ts';
import type { Canvas, Scene } from './canvas.ts';
import { clapboards, frontDoor, gableHouse, heatPump, sashWindow } from './houses.ts';
import { backdrop, broadTree, glow, ground, level, woods } from './outdoors.ts';
import { person, skins } from './people.ts';

/** A two-family house, and both families on its porch. */
export const porchEvening: Scene = (canvas) =>
  [
    backdrop(canvas, 600, [1010, 330]),
    broadTree(canvas, 120, 770, 520) + broadTree(canvas, 1090, 770, 440),
    glow(600, 560, 520, 0.65),
    rect(270, 190, 660, 570, '#b9573f') + clapboards(270, 190, 660, 570),
    path('M236 204 300 110H900L964 204Z', '#0a2a31'),
    ...[330, 545, 760].map((x) => sashWindow(x, 260, 110, 150, x === 545 ? 'dark' : 'lit')),
    ...[320, 776].map((x) => sashWindow(x, 560, 104, 130, 'lit')),
    frontDoor(478, 740, 100, 210, palette.spruce700) + frontDoor(624, 740, 100, 210, palette.lamp),
    porch(),
    level(canvas, 800),
    neighbors(),
    railing(),
  ].join('');

function porch(): string {
  const posts = [230, 440, 740, 950].map((x) => rect(x, 500, 20, 250, palette.cream));
  return (
    path('M190 500 250 450H950L1010 500Z', '#103f45') +
    rect(196, 496, 808, 16, palette.cream) +
    posts.join('') +
    rect(190, 744, 820, 58, '#8d7c66') +
    rect(180, 736, 840, 16, palette.oak)
  );
}

function neighbors(): string {
  const legs = '#12343c';
  return [
    person({
      x: 340,
      y: 744,
      height: 206,
      skin: skins[5],
      hair: 'scarf',
      hairColor: palette.spruce500,
      top: palette.spruce700,
      legs: palette.spruce700,
      pose: 'hold',
    }),
    person({
      x: 410,
      y: 744,
      height: 128,
      skin: skins[4],
      hair: 'curly',
      hairColor: '#1a1310',
      top: palette.lamp,
      legs,
      pose: 'wave',
    }),
    person({
      x: 800,
      y: 744,
      height: 212,
      skin: skins[0],
      hair: 'bald',
      hairColor: '#fff',
      top: '#e6efec',
      legs,
      pose: 'stand',
      mirrored: true,
    }),
    person({
      x: 872,
      y: 744,
      height: 196,
      skin: skins[1],
      hair: 'bun',
      hairColor: '#cfc8bd',
      top: palette.blush,
      legs,
      pose: 'wave',
      mirrored: true,
    }),
  ].join('');
}

function railing(): string {
  const bars = Array.from({ length: 22 }, (_, index) => 256 + index * 32).filter((x) => x < 440 || x > 750);
  return (
    line(bars.map((x) => d`M${x} 744v-62`).join(''), palette.cream, 5) +
    line('M250 682H444M750 682H952', palette.cream, 9) +
    rect(450, 800, 290, 24, palette.oak) +
    rect(430, 824, 330, 24, '#8d7c66')
  );
}

/** A summer garden beside an old house, with the heat pump among the beans. */
export const summerGarden: Scene = (canvas) =>
  [
    backdrop(canvas, 520, [900, 180]),
    broadTree(canvas, 1070, 640, 380, '#2f7a62'),
    ground(canvas, 600),
    gableHouse({
      ...{ x: 190, y: 690, width: 420, height: 270, wall: '#f3e6cf', roof: palette.brick, door: palette.spruce500 },
      ...{ windows: ['day', 'day', 'day'], doorAt: 0.62, trim: '#fff' },
    }),
    heatPump(640, 694, 0.86),
    beanRows(canvas),
    raisedBed(110, 800, 330) + raisedBed(720, 812, 360),
    sunflowers(),
    person({
      x: 540,
      y: 860,
      height: 250,
      skin: skins[4],
      hair: 'cap',
      hairColor: palette.lamp,
      top: '#3a7ca0',
      legs: '#4b5d4a',
      pose: 'carry',
    }),
    path('M592 700h86l-12 60h-62Z', palette.oak) +
      circle(616, 700, 16, palette.clay) +
      circle(644, 696, 17, '#d98a34') +
      circle(664, 702, 13, '#3d8f70'),
  ].join('');

function beanRows({ random }: Canvas): string {
  const poles = [830, 900, 970].map((x) => line(d`M${x - 30} 740L${x} 520L${x + 30} 740`, palette.walnut, 6));
  const leaves = Array.from({ length: 46 }, () =>
    circle(
      random.between(806, 994),
      random.between(560, 736),
      random.between(9, 19),
      random.pick(['#2f7a62', '#3d8f70', '#57a37f']),
    ),
  );
  return poles.join('') + leaves.join('');
}

function raisedBed(x: number, y: number, width: number): string {
  const heads = Array.from({ length: 6 }, (_, index) => {
    const cx = x + 34 + index * ((width - 68) / 5);
    return circle(cx, y - 44, 25, '#3d8f70') + circle(cx - 9, y - 50, 13, '#6db48c');
  });
  return (
    heads.join('') +
    rect(x, y - 36, width, 52, palette.oak, { rx: 3 }) +
    rect(x, y - 12, width, 4, palette.walnut, { opacity: 0.6 })
  );
}

function sunflowers(): string {
  return [
    [108, 690, 170],
    [62, 720, 220],
    [152, 720, 130],
  ]
    .map(
      ([x = 0, y = 0, tall = 0]) =>
        line(d`M${x} ${y + 40}V${y - tall}`, '#2f7a62', 7) +
        circle(x, y - tall, 36, palette.lamp) +
        circle(x, y - tall, 18, palette.walnut),
    )
    .join('');
}

/** Under the trees in the evening, with the light of one small house. */
export const cabinAtDusk: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [280, 420]),
    rect(0, 600, 1200, 140, '#5d9c98', { opacity: 0.55 }) +
      line('M250 640h140M280 670h90M220 700h180', '#ffe2ab', 4, { opacity: 0.7 }),
    woods(canvas, 690, 24, [180, 360], [330, 900]),
    ground(canvas, 700, canvas.mood.near),
    glow(620, 620, 430, 0.8),
    gableHouse({
      x: 440,
      y: 760,
      width: 360,
      height: 210,
      wall: palette.walnut,
      roof: '#1c2d2f',
      door: palette.clay,
      windows: ['lit', 'lit'],
      doorAt: 0.4,
    }),
    heatPump(824, 764, 0.72),
    path('M500 762H580L640 900H400Z', '#d9c7a0', { opacity: 0.5 }),
    ground(canvas, 830),
  ].join('');
