import { conifer, ridge, roundTree, stars } from '#scripts/drawing/landscape.ts';
import type { Random } from '#scripts/drawing/seeded-random.ts';
import { circle, d, ellipse, path, rect } from '#scripts/drawing/svg.ts';
import { type Canvas, HEIGHT, WIDTH } from './canvas.ts';

type Spot = readonly [x: number, y: number];

/** Sky with its light, clouds or stars, and two lines of hills. `horizon` is about where the hills end. */
export function backdrop(canvas: Canvas, horizon: number, light: Spot): string {
  const { mood, random } = canvas;
  const hills = { width: WIDTH, bottom: HEIGHT, roughness: 8 };
  const far = { ...hills, y: horizon - 70, swell: 44, points: 14, phase: random.between(0, 6) };
  const middle = { ...hills, y: horizon - 14, swell: 26, points: 12, phase: random.between(0, 6) };
  return [
    rect(0, 0, WIDTH, HEIGHT, 'url(#sky)'),
    mood.starry ? stars(random, 60, WIDTH, horizon * 0.62) : '',
    lightInSky(canvas, light),
    mood.starry ? '' : clouds(random, horizon * 0.5),
    path(ridge(random, far).data, mood.far),
    path(ridge(random, middle).data, mood.middle),
  ].join('');
}

function lightInSky({ mood }: Canvas, [x, y]: Spot): string {
  const { color, radius } = mood.light;
  return circle(x, y, radius * 5.5, 'url(#halo)') + circle(x, y, radius, color);
}

/** Flat-bottomed clouds above `lowest`. */
function clouds(random: Random, lowest: number, color = '#fff'): string {
  return [0.08, 0.46, 0.8]
    .map((share) => {
      const [x, y] = [WIDTH * share + random.between(-70, 70), random.between(70, lowest)];
      const scale = random.between(0.7, 1.25);
      return cloud(x, y, scale, color);
    })
    .join('');
}

export function cloud(x: number, y: number, scale: number, color: string, opacity = 0.55): string {
  const [u, v] = [scale * 10, scale * 7];
  const top = d`M${x} ${y}q${-0.5 * u} ${-4 * v} ${4 * u} ${-4.2 * v}q${2.5 * u} ${-5 * v} ${7 * u} ${-1.6 * v}`;
  const end = d`q${4.4 * u} ${-0.6 * v} ${5 * u} ${5.8 * v}Z`;
  return path(top + end, color, { opacity });
}

/** The ground in front, from about `y` down. */
export function ground({ mood, random }: Canvas, y: number, color = mood.ground): string {
  const shape = { width: WIDTH, bottom: HEIGHT, y, swell: 12, roughness: 4, points: 8, phase: random.between(0, 6) };
  return path(ridge(random, shape).data, color);
}

/** Flat ground from `y` down, for what must stand level. */
export function level({ mood }: Canvas, y: number, color = mood.ground): string {
  return rect(0, y, WIDTH, HEIGHT - y, color);
}

/** A wood of conifers whose feet are about `y`; none between `clear[0]` and `clear[1]`. */
export function woods(canvas: Canvas, y: number, count: number, height: Spot, clear: Spot = [0, 0]): string {
  const { mood, random } = canvas;
  const spots = Array.from({ length: count }, () => ({
    x: random.between(-20, WIDTH + 20),
    tall: random.between(...height),
  }));
  const free = spots.filter(({ x }) => x < clear[0] || x > clear[1]);
  const trees = free.map(({ x, tall }) => conifer(x, y + random.between(-6, 14), tall)).join('');
  if (!mood.snowy) return path(trees, mood.shade);
  const caps = free.map(({ x, tall }) =>
    path(d`M${x} ${y - tall}l${tall * 0.07} ${tall * 0.2}h${-tall * 0.14}Z`, mood.ground, { opacity: 0.55 }),
  );
  return path(trees, mood.shade, { opacity: 0.85 }) + caps.join('');
}

export function broadTree({ mood }: Canvas, x: number, y: number, height: number, color = mood.shade): string {
  return roundTree(x, y, height, color);
}

export function snowfall(random: Random, count: number): string {
  return Array.from({ length: count }, () => {
    const [x, y] = [random.between(0, WIDTH), random.between(0, HEIGHT)];
    return circle(x, y, random.between(1.6, 4.6), '#fff', { opacity: random.between(0.45, 0.95) });
  }).join('');
}

/** The soft patch under something that stands on the ground. */
export function shadow(x: number, y: number, width: number): string {
  return ellipse(x, y, width / 2, width * 0.035, '#07202a', { opacity: 0.22 });
}

/** Lamplight around a point. */
export function glow(x: number, y: number, radius: number, opacity = 1): string {
  return circle(x, y, radius, 'url(#glow)', { opacity });
}
