import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, ellipse, line, path, rect } from '#scripts/drawing/svg.ts';
import type { Canvas, Scene } from './canvas.ts';
import { gableHouse, sashWindow } from './houses.ts';
import { curtains, lampLight, mug, pottedPlant, room, sittingCat, table, view } from './interiors.ts';
import { backdrop, glow, ground, level } from './outdoors.ts';
import { person, skins } from './people.ts';

/** A bakery that is lit before anybody else is up. */
export const bakeryBeforeDawn: Scene = (canvas) =>
  [
    backdrop(canvas, 620, [1010, 210]),
    rect(-20, 250, 300, 520, '#12444a') + rect(920, 300, 320, 470, '#103a42') + darkPanes(),
    level(canvas, 760, '#20373a'),
    glow(600, 640, 480, 0.7),
    rect(280, 190, 640, 580, '#8c4a38') + rect(262, 176, 676, 34, palette.cream),
    sashWindow(350, 250, 90, 110, 'dark') +
      sashWindow(555, 250, 90, 110, 'dark') +
      sashWindow(760, 250, 90, 110, 'dark'),
    rect(310, 480, 380, 250, palette.spruce800) + rect(326, 496, 348, 202, 'url(#lamp)'),
    breadAndBaker(),
    rect(720, 480, 160, 290, palette.spruce800) +
      rect(744, 504, 112, 150, 'url(#lamp)') +
      circle(862, 650, 8, palette.lamp),
    awning(),
    path('M326 770 250 860H690L674 770ZM730 770 740 860H960L870 770Z', palette.lamp, { opacity: 0.22 }),
  ].join('');

function darkPanes(): string {
  const spots = [
    [40, 320],
    [160, 320],
    [40, 480],
    [160, 480],
    [980, 370],
    [1090, 370],
    [980, 520],
    [1090, 520],
  ] as const;
  return spots.map(([x, y]) => rect(x, y, 60, 84, '#0c2f37')).join('');
}

function awning(): string {
  const stripes = Array.from({ length: 12 }, (_, index) => {
    const [x, color] = [296 + index * 51, index % 2 === 0 ? palette.cream : palette.spruce500];
    return path(d`M${x} 400h51v80a25.500 22 0 0 1-51 0Z`, color);
  });
  return rect(288, 392, 626, 14, palette.spruce900) + stripes.join('');
}

function breadAndBaker(): string {
  const loaf = (x: number, y: number) =>
    path(d`M${x} ${y}q-4-44 42-44t42 44Z`, '#b06a2c') +
    line(d`M${x + 24} ${y - 34}l8 20M${x + 44} ${y - 38}l8 20`, '#f3d9a8', 4);
  return [
    rect(326, 600, 348, 10, palette.walnut) + rect(326, 688, 348, 12, palette.walnut),
    person({
      x: 590,
      y: 756,
      height: 232,
      skin: skins[1],
      hair: 'bun',
      hairColor: '#d8cfc0',
      top: '#fff8ea',
      legs: '#33302a',
      pose: 'carry',
      mirrored: true,
    }),
    rect(310, 698, 380, 34, palette.spruce800) + rect(310, 730, 380, 40, '#8c4a38'),
    ...[340, 430, 520].map((x) => loaf(x, 688)),
    ...[336, 424].map((x) => loaf(x, 600)),
  ].join('');
}

/** A glasshouse that glows in the field at dusk. */
export const greenhouse: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [880, 400]),
    gableHouse({
      x: 900,
      y: 690,
      width: 170,
      height: 130,
      wall: palette.brick,
      roof: '#3a211c',
      door: palette.cream,
      windows: ['lit', 'dark'],
    }),
    ground(canvas, 650, canvas.mood.near),
    glow(560, 620, 560, 0.8),
    path('M200 730V560Q380 330 560 330T920 560V730Z', '#ffe7ac', { opacity: 0.86 }),
    plantsInside(canvas),
    line(
      'M200 730V560Q380 330 560 330T920 560V730M320 730V446M440 730V362M560 730V330M680 730V362M800 730V446M200 560H920M284 470H836',
      '#dff0ea',
      8,
    ),
    rect(500, 560, 120, 172, '#fff4d4', { opacity: 0.6 }) + line('M500 732V560H620V732', '#54706f', 9),
    ground(canvas, 750),
    furrows(),
  ].join('');

function plantsInside({ random }: Canvas): string {
  return Array.from({ length: 22 }, (_, index) => {
    const [x, tall] = [220 + index * 32, random.between(60, 130)];
    const color = random.pick(['#2f7a62', '#3d8f70', '#1f5f52']);
    const fruit = random.chance(0.5) ? circle(x + 8, 730 - tall * 0.5, 8, palette.clay) : '';
    return line(d`M${x} 730v${-tall}`, color, 5) + ellipse(x, 730 - tall * 0.7, 20, tall * 0.36, color) + fruit;
  }).join('');
}

function furrows(): string {
  const rows = Array.from(
    { length: 9 },
    (_, index) => d`M${600 + (index - 4) * 46} 770L${600 + (index - 4) * 190} 900`,
  );
  return line(rows.join(''), '#1f6162', 12, { opacity: 0.7 });
}

/** A desk by the window, late, with company. */
export const deskAtWindow: Scene = (canvas) =>
  [
    room('#23555b', '#5b3f2c', 700),
    view(canvas, 320, 130, 480, 330) + curtains(320, 130, 480, 330, '#8c4a38'),
    lampLight(900, 470, 420),
    table(170, 760, 860, 210, palette.oak),
    sittingCat(420, 486, 0.9, '#2a2320'),
    rect(530, 400, 230, 144, '#20373a', { rx: 10 }) +
      rect(542, 412, 206, 116, '#9fd0cd') +
      path('M500 544H790L806 552H484Z', '#b9ccc9'),
    line('M572 440h120M572 466h150M572 492h84', palette.spruce700, 7, { opacity: 0.6 }),
    line('M930 542V420L870 350', '#33302a', 9) +
      path('M826 372 892 306 930 366Z', palette.lamp) +
      ellipse(930, 544, 50, 9, '#33302a'),
    mug(860, 540, palette.clay) + pottedPlant(246, 542, 0.8, palette.brick),
  ].join('');
