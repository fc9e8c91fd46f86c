import { conifer, type Ridge, ridge, roundTree, stars, turbine } from './landscape.ts';
import { palette } from './palette.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { circle, d, element, line, path, radialGradient, rect, svg, verticalGradient } from './svg.ts';
import { houseGlow, type ValleyHouse, valleyHouse } from './valley-house.ts';
import { doorLight, outdoorUnit, sailboat, walkers } from './valley-life.ts';

const WIDTH = 1600;
const HEIGHT = 900;
const SUN_X = 716;

/**
 * The hero: a valley at dusk with lit windows, 1600 × 900.
 * It is meant to be cropped from its bottom middle: a phone sees x from about 480 to 1120, so houses, lake and sun
 * stand there, and the upper third stays dark and quiet for the heading.
 */
export function valleySvg(): string {
  const random = seededRandom('dusk valley');
  const hill = ridge(random, { width: WIDTH, bottom: HEIGHT, y: 806, swell: 20, roughness: 6, points: 9, phase: 1.2 });
  return svg(
    WIDTH,
    HEIGHT,
    { preserveAspectRatio: 'xMidYMax slice' },
    gradients(),
    rect(0, 0, WIDTH, HEIGHT, 'url(#sky)'),
    stars(random, 58, WIDTH, 300),
    circle(SUN_X, 600, 380, 'url(#sun)'),
    distantHills(random),
    [turbine(212, 628, 50, 18), turbine(246, 626, 40, 52), turbine(184, 628, 36, 84)].join(''),
    lake(random) + sailboat(986, 706),
    shores(random),
    nearHill(random, hill),
    path(foreground(random), palette.night),
  );
}

function gradients(): string {
  return element(
    'defs',
    {},
    verticalGradient('sky', [
      [0, palette.night],
      [0.34, '#0e3f49'],
      [0.52, palette.spruce500],
      [0.64, '#8fb39a'],
      [0.72, palette.apricot],
      [0.78, palette.peach],
    ]),
    radialGradient('sun', [
      [0, '#ffe9bd', 0.95],
      [0.22, '#ffd591', 0.55],
      [0.55, '#ffc46a', 0.16],
      [1, '#ffc46a', 0],
    ]),
    radialGradient('glow', [
      [0, '#ffc65c', 0.4],
      [1, '#ffc65c', 0],
    ]),
    verticalGradient('pane', [
      [0, palette.lampPale],
      [1, '#ffb940'],
    ]),
    verticalGradient('lake', [
      [0, '#f3c58b'],
      [0.45, '#5d9c98'],
      [1, '#174e55'],
    ]),
  );
}

function distantHills(random: Random): string {
  const line = { width: WIDTH, bottom: HEIGHT };
  const far = ridge(random, { ...line, y: 590, swell: 30, roughness: 6, points: 22, phase: 0.9 });
  const near = ridge(random, { ...line, y: 634, swell: 26, roughness: 5, points: 18, phase: 4.4 });
  return path(far.data, palette.sage) + path(near.data, '#4d8a82');
}

function lake(random: Random): string {
  const water = path(
    'M470 698C600 668 900 662 1080 690C1260 716 1300 780 1600 840V900H0V830C200 800 340 728 470 698Z',
    'url(#lake)',
  );
  const glints = Array.from({ length: 24 }, (_, row) => {
    const width = random.between(24, 130) * (1 - row / 40);
    const start = SUN_X - width / 2 + random.between(-26, 26);
    return line(d`M${start} ${690 + row * 5.6}h${width}`, '#ffe2ab', 2, { opacity: 0.75 - row * 0.024 });
  });
  return water + glints.join('');
}

/** The two shores with their woods and the far houses. */
function shores(random: Random): string {
  const left = 'M0 640C130 640 240 664 340 700C430 730 500 742 580 756C480 790 320 800 0 800Z';
  const right = 'M1600 618C1440 628 1270 660 1150 700C1080 722 1010 740 930 752C1100 780 1380 796 1600 800Z';
  const houses = FAR_HOUSES.map(([x, y, width, height]) => ({
    ...{ x, y, width, height },
    wall: '#154a4d',
    roof: '#0f3a3e',
    lit: {
      left: random.chance(0.85),
      right: random.chance(0.75),
      below: random.chance(0.65),
      door: random.chance(0.4),
    },
  }));
  return [
    path(left, '#24696a') + path(right, '#1f6162'),
    ...houses.map(houseGlow),
    shoreWoods(random),
    ...houses.map(valleyHouse),
  ].join('');
}

const FAR_HOUSES = [
  [58, 690, 40, 32],
  [140, 700, 44, 34],
  [226, 718, 40, 32],
  [310, 740, 44, 34],
  [1088, 748, 38, 30],
  [1180, 736, 44, 34],
  [1268, 722, 42, 34],
  [1366, 712, 46, 36],
  [1470, 700, 42, 34],
] as const;

function shoreWoods(random: Random): string {
  const greens = ['#174f52', '#1b575a'];
  const trees = Array.from({ length: 46 }, (_, index) => {
    const onLeft = random.chance(0.55);
    const x = onLeft ? random.between(0, 430) : random.between(1100, 1600);
    const ground = onLeft ? 650 + (x / 430) ** 1.2 * 76 : 738 - ((x - 1100) / 500) * 96;
    return { color: index % 2, data: conifer(x, ground + random.between(2, 22), random.between(22, 44)) };
  });
  return byColor(greens, trees);
}

const WALLS = ['#12444a', '#164d50', '#0f3d44', '#1a5354'] as const;

const NEAR_HOUSES = [
  [70, 108, 92],
  [206, 86, 66],
  [452, 116, 94],
  [596, 88, 68],
  [846, 96, 104],
  [964, 86, 66],
  [1170, 112, 92],
  [1308, 84, 104],
  [1452, 100, 76],
] as const;

/** The hill on this side of the lake: its woods behind, its houses, and round trees between them. */
function nearHill(random: Random, hill: Ridge): string {
  const houses = NEAR_HOUSES.map(
    ([x, width, height], index): ValleyHouse => ({
      ...{ x, width, height },
      y: hill.yAt(x + width / 2) + 26,
      wall: WALLS[index % WALLS.length] ?? WALLS[0],
      roof: index % 3 === 0 ? '#5b3a33' : '#08262c',
      lit: { left: true, right: random.chance(0.85), below: random.chance(0.85), door: index % 2 === 1 },
    }),
  );
  return [
    path(hill.data, '#0d3a3f'),
    ...houses.map(houseGlow),
    hillWoods(random, hill),
    ...houses.map((house) => chimney(house) + valleyHouse(house) + doorLight(house)),
    ...houses.filter((_, index) => index % 4 === 1).map(outdoorUnit),
    treesBetween(random, hill),
    walkers(772, hill.yAt(772) + 52),
  ].join('');
}

function chimney({ x, y, width, height }: ValleyHouse): string {
  return rect(x + width * 0.72, y - height - width * 0.4, width * 0.1, width * 0.3, '#08262c');
}

function hillWoods(random: Random, hill: Ridge): string {
  const trees = Array.from({ length: 40 }, (_, index) => {
    const x = random.between(0, WIDTH);
    return { color: index % 2, data: conifer(x, hill.yAt(x) + random.between(6, 18), random.between(40, 84)) };
  });
  return byColor(['#0a2f35', '#0b343a'], trees);
}

function treesBetween(random: Random, hill: Ridge): string {
  const spots = Array.from({ length: 34 }, () => ({
    x: random.between(0, WIDTH),
    drop: random.between(26, 42),
    height: random.between(40, 70),
  }));
  const free = spots.filter(({ x }) => NEAR_HOUSES.every(([left, width]) => x < left - 20 || x > left + width + 20));
  return free.map(({ x, drop, height }) => roundTree(x, hill.yAt(x) + drop, height, '#08282e')).join('');
}

function foreground(random: Random): string {
  const line = { width: WIDTH, bottom: HEIGHT, y: 872, swell: 9, roughness: 3, points: 10, phase: 3.3 };
  return ridge(random, line).data;
}

/** One path for all shapes of a colour: a third of the bytes of a path for each. */
function byColor(colors: readonly string[], shapes: readonly { color: number; data: string }[]): string {
  return colors
    .map((color, index) =>
      path(
        shapes
          .filter((shape) => shape.color === index)
          .map(({ data }) => data)
          .join(''),
        color,
      ),
    )
    .join('');
}
