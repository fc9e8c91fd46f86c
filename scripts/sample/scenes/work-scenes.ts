import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, line, path, rect } from '#scripts/drawing/svg.ts';
import type { Scene } from './canvas.ts';
import { clapboards, frontDoor, gableHouse, heatPump, sashWindow } from './houses.ts';
import { backdrop, broadTree, ground, level, shadow, woods } from './outdoors.ts';
import { person, skins } from './people.ts';
import { van } from './vehicles.ts';

/** Setting an outdoor unit beside a house. */
export const settingHeatPump: Scene = (canvas) =>
  [
    backdrop(canvas, 520, [930, 240]),
    woods(canvas, 640, 12, [80, 160], [0, 760]),
    ground(canvas, 650),
    rect(-20, 60, 560, 690, '#f3e6cf') + clapboards(-20, 60, 560, 690) + rect(540, 60, 14, 690, '#fff'),
    sashWindow(120, 220, 190, 240, 'day', '#fff'),
    line('M470 470V640Q470 690 560 690', '#33302a', 14) +
      line('M470 470V640Q470 690 560 690', '#c98d63', 6) +
      rect(446, 440, 48, 40, '#cddcd8', { rx: 6 }),
    rect(540, 762, 360, 24, '#8d9c98', { rx: 3 }),
    heatPump(580, 764, 1.75, 20),
    person({
      x: 960,
      y: 812,
      height: 380,
      skin: skins[0],
      hair: 'cap',
      hairColor: palette.spruce800,
      top: '#3a7ca0',
      legs: '#33474a',
      pose: 'carry',
      mirrored: true,
    }),
    toolbox(1000, 842) + gauges(846, 560),
    level(canvas, 850, canvas.mood.shade),
  ].join('');

function toolbox(x: number, y: number): string {
  return (
    line(d`M${x + 30} ${y - 60}q0-28 34-28t34 28`, '#33302a', 9) +
    rect(x, y - 62, 130, 62, palette.brick, { rx: 8 }) +
    rect(x, y - 44, 130, 8, '#7d2c1f') +
    rect(x + 54, y - 50, 22, 16, palette.lampHigh, { rx: 3 })
  );
}

function gauges(x: number, y: number): string {
  const dial = (cx: number, color: string) =>
    circle(cx, y, 24, color) + circle(cx, y, 17, '#fff') + line(d`M${cx} ${y}l9-10`, '#20211f', 3);
  return (
    line(d`M${x - 24} ${y + 20}q-40 60-70 90M${x + 24} ${y + 20}q-10 70-60 110`, palette.lamp, 5) +
    dial(x - 24, '#2b7a9b') +
    dial(x + 24, palette.brick)
  );
}

/** A fan in the front door that finds every draft. */
export const blowerDoor: Scene = () =>
  [
    rect(0, 0, 1200, 740, '#dbe4d6') + rect(0, 740, 1200, 160, '#a8713a') + rect(0, 720, 1200, 22, '#fff'),
    rect(390, 90, 420, 650, '#fff') + rect(420, 120, 360, 620, '#a63d2b'),
    path('M420 120H780V740H420Z', 'none', { stroke: '#7d2c1f', 'stroke-width': 10 }) +
      line('M420 400H780', '#7d2c1f', 6, { opacity: 0.5 }),
    circle(600, 590, 118, '#20282a') +
      circle(600, 590, 100, '#54706f') +
      fanBlades(600, 590, 92) +
      circle(600, 590, 22, '#20282a'),
    line('M520 500 680 680M680 500 520 680', '#20282a', 4, { opacity: 0.6 }),
    rect(540, 190, 120, 84, '#20282a', { rx: 8 }) +
      rect(552, 202, 96, 40, '#9fd0cd') +
      line('M560 256h80', palette.lamp, 6),
    line('M600 274V480', '#20282a', 5),
    drafts(),
    rect(120, 170, 180, 230, '#fff') +
      rect(136, 186, 148, 198, 'url(#shine)') +
      line('M210 186v198M136 284h148', '#fff', 8),
    person({
      x: 930,
      y: 812,
      height: 420,
      skin: skins[1],
      hair: 'bun',
      hairColor: '#8a4b22',
      top: palette.spruce500,
      legs: '#33474a',
      pose: 'point',
      mirrored: true,
    }),
    rect(748, 462, 62, 44, '#20282a', { rx: 6 }) +
      rect(754, 468, 34, 32, '#ff9a4a') +
      rect(760, 480, 12, 16, '#4a6fb5'),
  ].join('');

function fanBlades(x: number, y: number, r: number): string {
  return [0, 72, 144, 216, 288]
    .map((turn) => {
      const angle = (turn * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle) * r, Math.sin(angle) * r];
      return path(
        d`M${x} ${y}Q${x + cos * 0.5 - sin * 0.6} ${y + sin * 0.5 + cos * 0.6} ${x + cos} ${y + sin}Q${x + cos * 0.6} ${y + sin * 0.6} ${x} ${y}Z`,
        '#e6efec',
      );
    })
    .join('');
}

function drafts(): string {
  return line(
    'M310 300q40-30 74-6M320 380q36-24 66 0M150 640q60-36 110 0t100-6M860 640q60-36 110 0t90-6',
    '#7fb7b5',
    7,
    { opacity: 0.75 },
  );
}

/** Three of a crew before they start. */
export const crewAtVan: Scene = (canvas) =>
  [
    backdrop(canvas, 540, [960, 220]),
    gableHouse({
      x: 60,
      y: 720,
      width: 330,
      height: 240,
      wall: '#f3e6cf',
      roof: palette.brick,
      door: palette.spruce700,
      windows: ['day', 'day', 'day'],
      doorAt: 0.62,
    }),
    woods(canvas, 700, 8, [120, 220], [0, 900]),
    ground(canvas, 710),
    shadow(700, 772, 520),
    van(
      700,
      776,
      1.4,
      '#f4faf8',
      line('M-150-190H90M-150-206H90', '#8d9c98', 8) + line('M-120-172v-34M60-172v-34', '#54706f', 8),
    ),
    person({
      x: 400,
      y: 852,
      height: 370,
      skin: skins[4],
      hair: 'hardHat',
      hairColor: palette.lamp,
      top: '#3a7ca0',
      legs: '#33474a',
      pose: 'akimbo',
      vest: palette.vest,
    }),
    person({
      x: 590,
      y: 862,
      height: 350,
      skin: skins[1],
      hair: 'hardHat',
      hairColor: '#fff',
      top: palette.spruce500,
      legs: '#33302a',
      pose: 'wave',
      vest: palette.vest,
    }),
    person({
      x: 780,
      y: 854,
      height: 376,
      skin: skins[5],
      hair: 'hardHat',
      hairColor: palette.lamp,
      top: palette.clay,
      legs: '#33474a',
      pose: 'carry',
      vest: palette.vest,
      mirrored: true,
    }),
    path('M0 880Q400 856 800 872T1200 866V900H0Z', canvas.mood.shade),
  ].join('');

/** A front hall where somebody explains a new thermostat. */
export const handingOver: Scene = (canvas) =>
  [
    backdrop(canvas, 560, [950, 230]),
    ground(canvas, 680),
    broadTree(canvas, 1090, 740, 420),
    rect(-20, 80, 860, 700, '#8fb39a') + clapboards(-20, 80, 860, 700) + rect(840, 80, 16, 700, '#fff'),
    sashWindow(90, 250, 170, 210, 'lit', '#fff') + frontDoor(420, 772, 200, 430, palette.clay),
    path('M340 330 400 270H640L700 330Z', '#54433a') + line('M400 330v30M640 330v30', '#fff', 12),
    rect(340, 770, 420, 30, '#8d9c98') + level(canvas, 800),
    person({
      x: 500,
      y: 776,
      height: 350,
      skin: skins[5],
      hair: 'curly',
      hairColor: '#e9e4da',
      top: palette.lamp,
      legs: palette.spruce800,
      pose: 'hold',
    }),
    person({
      x: 780,
      y: 860,
      height: 400,
      skin: skins[2],
      hair: 'cap',
      hairColor: palette.spruce700,
      top: palette.spruce500,
      legs: '#33474a',
      pose: 'carry',
      mirrored: true,
    }),
    rect(630, 610, 70, 54, '#fff', { rx: 6 }) + line('M642 628h46M642 644h30', palette.spruce500, 5),
    toolbox(860, 870),
  ].join('');
