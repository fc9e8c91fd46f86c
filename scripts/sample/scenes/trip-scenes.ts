import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, ellipse, line, path, rect } from '#scripts/drawing/svg.ts';
import { type Canvas, HEIGHT, type Scene, WIDTH } from './canvas.ts';
import { backdrop, broadTree, cloud, glow, ground, level, shadow, woods } from './outdoors.ts';
import { airliner, bicycle, canoe, carFromBehind, schoolBus, train, van, wagon } from './vehicles.ts';

export const planeOverValley: Scene = (canvas) =>
  [
    backdrop(canvas, 640, [330, 420]),
    cloud(140, 350, 1.5, '#fff', 0.22) + cloud(850, 250, 1.2, '#fff', 0.2),
    line('M40 560Q330 500 470 452', '#fff', 7, { opacity: 0.35 }),
    airliner(640, 400, 1.28, -16),
    ground(canvas, 720, canvas.mood.near),
    valleyLights(canvas),
    ground(canvas, 800),
    woods(canvas, 830, 26, [70, 150]),
  ].join('');

/** Windows of far houses: two or three points of light each. */
function valleyLights({ random }: Canvas): string {
  return Array.from({ length: 26 }, () => {
    const [x, y] = [random.between(60, 1140), random.between(742, 784)];
    return glow(x, y, 22, 0.5) + rect(x - 4, y - 5, 8, 9, palette.lampHigh, { rx: 1 });
  }).join('');
}

/** From a seat: the oval window, the wing, the clouds below. */
export const planeWindow: Scene = ({ random }) => {
  const oval = 'M420 150H780Q860 150 860 240V660Q860 750 780 750H420Q340 750 340 660V240Q340 150 420 150Z';
  const below = Array.from({ length: 9 }, (_, index) =>
    cloud(330 + index * 62, 560 + random.between(-26, 60), random.between(1, 2), '#fff', 0.75),
  );
  const wing =
    path('M330 690 720 452 752 440 770 458 560 640 330 790Z', '#dbe7e4') +
    path('M722 452 752 392 764 396 770 458Z', palette.clay);
  return [
    rect(0, 0, WIDTH, HEIGHT, '#e9e2d3') + rect(0, 0, WIDTH, HEIGHT, '#17585b', { opacity: 0.1 }),
    `<clipPath id="oval"><path d="${oval}"/></clipPath>`,
    path(oval, '#fffaf0', { stroke: '#fffaf0', 'stroke-width': 74 }) +
      path(oval, '#cbd3cc', { stroke: '#cbd3cc', 'stroke-width': 34 }),
    `<g clip-path="url(#oval)">${rect(300, 100, 600, 700, 'url(#sky)')}${circle(690, 300, 250, 'url(#halo)')}${circle(690, 300, 44, '#fff3d6')}`,
    `${path('M300 560q120-50 240-20t200-30 180 20V800H300Z', '#8fc4bd', { opacity: 0.55 })}${below.join('')}${wing}${line('M400 676 700 486', '#b9ccc9', 4)}</g>`,
    path('M340 240Q340 150 420 150H780Q860 150 860 240V268H340Z', '#f7f2e6') + line('M560 250h80', '#cbd3cc', 8),
    line('M120 0V900M1080 0V900', '#cdc6b6', 5, { opacity: 0.7 }),
    path('M0 830Q160 780 300 900H0Z', palette.spruce700) + passenger(),
  ].join('');
};

/** Somebody who looks out, seen from behind. */
function passenger(): string {
  return [
    path('M820 900Q826 790 930 760H1040Q1150 786 1160 900Z', palette.clay),
    rect(950, 690, 70, 90, '#a56d47', { rx: 30 }),
    ellipse(978, 618, 92, 108, '#3a2820') + circle(1030, 506, 46, '#3a2820'),
    path('M884 610q-8 70 40 100-10-60-4-120Z', '#a56d47') + line('M886 652q-4 16 6 24', palette.lamp, 6),
  ].join('');
}

export const tourVan: Scene = (canvas) => {
  const load =
    rect(-150, -216, 190, 46, '#33302a', { rx: 10 }) +
    rect(-130, -240, 120, 28, palette.walnut, { rx: 12 }) +
    line('M-100-244v74M-20-244v74', palette.cream, 4);
  return [
    backdrop(canvas, 560, [850, 300]),
    ground(canvas, 610, canvas.mood.near),
    woods(canvas, 640, 12, [60, 120], [330, 900]),
    road(canvas, 700),
    shadow(590, 772, 520),
    van(590, 778, 1.3, palette.spruce500, load),
    path('M0 860Q300 830 640 856T1200 846V900H0Z', canvas.mood.shade),
  ].join('');
};

/** A level road across the picture, with its middle line. */
function road({ mood }: Canvas, y: number): string {
  const stripes = Array.from({ length: 9 }, (_, index) =>
    rect(-30 + index * 145, y + 76, 80, 8, '#f2e3bd', { opacity: 0.75 }),
  );
  return (
    rect(0, y - 14, WIDTH, 24, mood.near) +
    rect(0, y, WIDTH, 160, '#3d4f50') +
    rect(0, y, WIDTH, 6, '#f2e3bd', { opacity: 0.4 }) +
    stripes.join('')
  );
}

export const lakeWagon: Scene = (canvas) =>
  [
    backdrop(canvas, 500, [260, 210]),
    rect(0, 500, WIDTH, 200, '#6fb0b3') + rect(0, 500, WIDTH, 60, '#a9d3cf', { opacity: 0.6 }),
    line('M120 560h90M300 596h140M760 548h120M900 610h150M560 640h90', '#e6f3f0', 5, { opacity: 0.7 }),
    path('M700 700V620q0-8 8-8h330v14H726v74Z', palette.oak) +
      line('M760 620v90M860 620v90M960 620v90', palette.walnut, 9),
    ground(canvas, 690),
    broadTree(canvas, 130, 760, 330, '#2f7a62') + broadTree(canvas, 1090, 740, 260, '#3a8468'),
    shadow(580, 802, 520),
    wagon(580, 806, 1.32, palette.clay, canoe(palette.spruce700)),
    path('M0 872Q400 838 760 866T1200 852V900H0Z', '#3f7d5f'),
  ].join('');

export const nightDrive: Scene = (canvas) =>
  [
    backdrop(canvas, 470, [860, 170]),
    level(canvas, 480, canvas.mood.near),
    woods(canvas, 500, 34, [60, 150], [470, 730]),
    path('M575 480H625L1010 900H190Z', '#22363c') +
      path('M596 480h8l16 120h-40ZM576 640h48l26 120h-100ZM540 810h120l20 90H520Z', palette.lampHigh, { opacity: 0.7 }),
    path('M680 660 618 492H650L800 660Z', palette.lampPale, { opacity: 0.2 }),
    line('M560 500 150 900M640 500 1050 900', '#cddcd8', 4, { opacity: 0.5 }),
    carFromBehind(742, 742, 1.25, '#2b7277'),
    path('M0 640Q120 660 150 900H0ZM1200 620Q1080 660 1060 900H1200Z', canvas.mood.shade),
    roadsideMailbox(250, 770),
  ].join('');

function roadsideMailbox(x: number, y: number): string {
  return (
    line(d`M${x} ${y}v-96`, palette.walnut, 10) +
    path(d`M${x - 34} ${y - 90}v-26q0-20 20-20h34q20 0 20 20v26Z`, palette.mist200) +
    rect(x + 26, y - 140, 6, 34, palette.brick)
  );
}

export const viaductTrain: Scene = (canvas) => {
  const arches = Array.from({ length: 6 }, (_, index) =>
    path(d`M${40 + index * 200} 900V640a70 74 0 0 1 140 0V900Z`, canvas.mood.middle),
  );
  return [
    backdrop(canvas, 640, [820, 330]),
    ground(canvas, 700, canvas.mood.middle),
    rect(0, 512, WIDTH, 400, '#8d7c66') +
      rect(0, 504, WIDTH, 22, '#a8967c') +
      rect(0, 530, WIDTH, 8, '#6f604e', { opacity: 0.5 }),
    ...arches,
    line('M0 330H1200M150 312V506M520 312V506M900 312V506', '#33484a', 5),
    train(64, 500, 1.12, 3, true),
    woods(canvas, 800, 20, [90, 190]),
    ground(canvas, 828),
  ].join('');
};

export const schoolOuting: Scene = (canvas) =>
  [
    backdrop(canvas, 520, [960, 210]),
    ground(canvas, 570, '#8fa06a'),
    ...[150, 300, 930, 1080].map((x, index) =>
      broadTree(
        canvas,
        x,
        660,
        260 + (index % 2) * 50,
        ['#c9702f', '#e0a03a', '#b5532c', '#d98a34'][index] ?? '#c9702f',
      ),
    ),
    road(canvas, 690),
    shadow(590, 790, 600),
    schoolBus(590, 796, 1.2),
    leaves(canvas),
  ].join('');

function leaves({ random }: Canvas): string {
  return Array.from({ length: 46 }, () => {
    const [x, y] = [random.between(0, WIDTH), random.between(300, 890)];
    return ellipse(x, y, 8, 4.5, random.pick(['#c9702f', '#e0a03a', '#a6452d']), {
      transform: `rotate(${random.whole(-60, 60)} ${Math.round(x)} ${Math.round(y)})`,
    });
  }).join('');
}

export const lakesideBicycle: Scene = (canvas) =>
  [
    backdrop(canvas, 480, [700, 330]),
    rect(0, 486, WIDTH, 220, '#9cc9c2') + rect(0, 486, WIDTH, 80, '#f3d9a8', { opacity: 0.55 }),
    line('M640 530h120M610 556h190M650 584h90M560 620h160M200 560h80M980 600h110', '#fff4d8', 5, { opacity: 0.8 }),
    path('M0 690Q300 650 700 676T1200 664V900H0Z', canvas.mood.near),
    path('M0 760Q360 720 720 744T1200 736V840H0Z', '#d9c7a0'),
    railing(),
    shadow(600, 798, 420),
    bicycle(600, 800, 1.75, palette.brick),
    reeds(canvas),
  ].join('');

function railing(): string {
  const posts = Array.from({ length: 9 }, (_, index) => d`M${40 + index * 140} 760V600`);
  return line(posts.join(''), '#1c5256', 12) + line('M-10 608H1210M-10 668H1210', '#1c5256', 9);
}

function reeds({ random, mood }: Canvas): string {
  return Array.from({ length: 44 }, (_, index) => {
    const x = index < 22 ? random.between(0, 300) : random.between(900, 1200);
    return line(
      d`M${x} 910q${random.between(-10, 10)} ${-60} ${random.between(-26, 26)} ${-random.between(60, 140)}`,
      mood.shade,
      5,
    );
  }).join('');
}
