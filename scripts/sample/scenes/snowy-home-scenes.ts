import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, line, path, rect } from '#scripts/drawing/svg.ts';
import type { Scene } from './canvas.ts';
import { chimney, clapboards, frontDoor, gableHouse, heatPump, sashWindow } from './houses.ts';
import { sittingCat } from './interiors.ts';
import { backdrop, glow, ground, level, snowfall, woods } from './outdoors.ts';
import { person, skins } from './people.ts';

/** A house in the snow whose upstairs is warm again. */
export const warmUpstairs: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [950, 170]),
    woods(canvas, 650, 28, [130, 250], [260, 960]),
    ground(canvas, 680),
    glow(600, 520, 520, 0.75),
    chimney(740, 400, 54, 150, '#5b3a33'),
    gableHouse({
      ...{ x: 370, y: 740, width: 460, height: 320, wall: '#1f6162', roof: '#0a2a31', door: palette.brick },
      ...{ windows: ['lit', 'lit', 'lit'], doorAt: 0.63, snow: true },
    }),
    childAtWindow(),
    heatPump(860, 744, 0.8),
    path('M640 742H760L860 900H560Z', '#93b1ba'),
    path('M352 744q90-26 180 0t120-6L700 748H330Z', '#fff', { opacity: 0.9 }),
    snowfall(canvas.random, 110),
  ].join('');

function childAtWindow(): string {
  return circle(708, 512, 19, '#5c3826') + path('M680 543q4-24 28-24t28 24Z', palette.clay);
}

/** A home that came on wheels, with its new outdoor unit. */
export const manufacturedHome: Scene = (canvas) =>
  [
    backdrop(canvas, 590, [260, 200]),
    woods(canvas, 640, 34, [120, 260], [120, 990]),
    ground(canvas, 640),
    rect(180, 470, 760, 230, '#dfe8e2') + clapboards(180, 470, 760, 230),
    rect(180, 694, 760, 40, '#8d9c98'),
    path('M150 474 200 410H920L970 474Z', '#3a5f63') +
      path('M150 470 200 402H920L970 470Q900 452 820 466T640 460 460 466 300 458 150 470Z', '#fff'),
    sashWindow(240, 530, 120, 100, 'lit', '#fff') +
      sashWindow(420, 530, 120, 100, 'lit', '#fff') +
      sashWindow(780, 530, 100, 100, 'lit', '#fff'),
    frontDoor(630, 694, 92, 176, palette.spruce500),
    rect(590, 694, 172, 46, palette.oak) +
      line('M600 640V694M752 640V694M596 640H616M736 640H756', palette.walnut, 9) +
      rect(610, 738, 132, 22, palette.walnut),
    heatPump(960, 742, 0.92),
    person({
      x: 470,
      y: 800,
      height: 220,
      skin: skins[1],
      hair: 'beanie',
      hairColor: palette.brick,
      top: palette.spruce700,
      legs: '#33302a',
      pose: 'akimbo',
    }),
    path('M0 800Q300 760 640 796T1200 780V900H0Z', '#fff'),
    snowfall(canvas.random, 60),
  ].join('');

/** A window from the street: somebody keeps watch. */
export const catInWindow: Scene = (canvas) =>
  [
    rect(0, 0, 1200, 900, '#174c53') + clapboards(0, 0, 1200, 900),
    glow(600, 430, 620, 0.45),
    rect(276, 116, 648, 614, palette.cream, { rx: 4 }) + rect(310, 150, 580, 550, 'url(#lamp)'),
    path('M310 150H470Q450 420 350 700H310ZM890 150H730Q750 420 850 700H890Z', palette.clay, { opacity: 0.85 }),
    line('M600 150V292', '#6b4226', 5) +
      path('M520 330q6-76 80-76t80 76Z', palette.brick) +
      circle(600, 334, 20, '#fff8e2'),
    rect(560, 590, 250, 110, palette.oak, { opacity: 0.5 }) +
      rect(590, 500, 60, 90, '#3d8f70', { opacity: 0.55, rx: 30 }),
    sittingCat(500, 700, 1.55, '#2a2320'),
    line('M310 424H890', palette.cream, 18, { 'stroke-linecap': 'butt' }),
    rect(236, 724, 728, 40, palette.cream, { rx: 4 }) + path('M236 726q60-34 130-16t140-8 150 4 140-6 168 26Z', '#fff'),
    windowBox(),
    snowfall(canvas.random, 130),
  ].join('');

function windowBox(): string {
  return rect(300, 764, 600, 70, palette.walnut, { rx: 4 }) + path('M296 768q80-26 150-10t150-6 150 4 158 12Z', '#fff');
}

/** Row houses after a storm; one door stands open. */
export const rowHouses: Scene = (canvas) => {
  const walls = ['#8c4a38', '#1f6162', '#b98a5a', '#2b6b74', '#a65a44'];
  const houses = walls.map((wall, index) => rowHouse(index * 240, wall, index));
  return [
    backdrop(canvas, 420, [900, 150]),
    ...houses,
    level(canvas, 770),
    path('M530 772H660L760 900H430Z', palette.lamp, { opacity: 0.35 }),
    path('M0 772q150-30 300-6t220 2v30H0ZM680 772q140-26 280-4t240-6v36H680Z', '#fff'),
    person({
      x: 560,
      y: 836,
      height: 190,
      skin: skins[2],
      hair: 'beanie',
      hairColor: palette.clay,
      top: palette.spruce500,
      legs: '#20282a',
      pose: 'carry',
      mirrored: true,
    }),
    line('M500 700 470 846', palette.oak, 8) + path('M446 836h48l-6 44h-38Z', palette.clay),
    person({
      x: 670,
      y: 842,
      height: 182,
      skin: skins[2],
      hair: 'long',
      hairColor: '#3a2820',
      top: palette.lamp,
      legs: '#20282a',
      pose: 'wave',
    }),
    snowfall(canvas.random, 130),
  ].join('');
};

function rowHouse(x: number, wall: string, index: number): string {
  const top = 300 + (index % 2) * 46;
  const lit = index === 2 ? 'lit' : index % 3 === 0 ? 'dark' : 'lit';
  const door =
    index === 2
      ? rect(x + 130, 620, 76, 154, 'url(#lamp)')
      : frontDoor(x + 130, 772, 76, 146, index % 2 === 0 ? '#12343c' : palette.cream);
  return [
    rect(x, top, 241, 480, wall),
    rect(x - 8, top - 24, 256, 34, '#0f3842') + path(d`M${x - 8} ${top - 24}q60-24 128-10t128 10Z`, '#fff'),
    ...[44, 138].map((left) => sashWindow(x + left, top + 46, 58, 74, lit)),
    ...[44, 138].map((left) => sashWindow(x + left, top + 156, 58, 74, index === 1 ? 'dark' : 'lit')),
    sashWindow(x + 36, 640, 56, 80, lit),
    door,
  ].join('');
}
