import { conifer } from '#scripts/drawing/landscape.ts';
import { palette } from '#scripts/drawing/palette.ts';
import { at, circle, d, ellipse, line, path, rect } from '#scripts/drawing/svg.ts';
import { type Canvas, HEIGHT, WIDTH } from './canvas.ts';

/** A room seen from the front: wall, floor from `floorAt` down, and a baseboard between them. */
export function room(wall: string, floor: string, floorAt: number): string {
  const boards = Array.from({ length: 5 }, (_, index) => d`M0 ${floorAt + 30 + index * 34}H1200`);
  return [
    rect(0, 0, WIDTH, floorAt, wall),
    rect(0, floorAt, WIDTH, HEIGHT - floorAt, floor),
    line(boards.join(''), '#07202a', 2, { opacity: 0.1 }),
    rect(0, floorAt - 20, WIDTH, 20, '#fff', { opacity: 0.55 }),
  ].join('');
}

/** Evening light that falls from a lamp at (x, y) on everything drawn before. */
export function lampLight(x: number, y: number, radius: number, opacity = 0.9): string {
  return circle(x, y, radius, 'url(#glow)', { opacity });
}

/** A window with the scene's own sky, hills and trees behind its sash. */
export function view(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  frame: string = palette.cream,
): string {
  const { mood, random } = canvas;
  const trees = Array.from({ length: 5 }, () =>
    conifer(x + random.between(0.08, 0.92) * width, y + height * 0.93, height * random.between(0.22, 0.4)),
  );
  const hill = d`M${x} ${y + height}V${y + height * 0.72}Q${x + width * 0.3} ${y + height * 0.52} ${x + width * 0.55} ${y + height * 0.68}T${x + width} ${y + height * 0.62}V${y + height}Z`;
  const light = circle(x + width * 0.72, y + height * 0.26, height * 0.09, mood.light.color);
  const flakes = mood.snowy ? windowSnow(canvas, x, y, width, height) : '';
  const bars = d`M${x + width / 2} ${y}v${height}M${x} ${y + height * 0.5}h${width}`;
  return [
    rect(x - 16, y - 16, width + 32, height + 32, frame, { rx: 4 }),
    rect(x, y, width, height, 'url(#sky)') + light,
    path(hill, mood.middle),
    path(trees.join(''), mood.shade) + rect(x, y + height * 0.92, width, height * 0.08, mood.ground),
    flakes,
    line(bars, frame, 9, { 'stroke-linecap': 'butt' }),
    rect(x - 34, y + height + 10, width + 68, 20, frame, { rx: 4 }),
  ].join('');
}

function windowSnow({ random }: Canvas, x: number, y: number, width: number, height: number): string {
  return Array.from({ length: 26 }, () =>
    circle(x + random.between(6, width - 6), y + random.between(6, height - 6), random.between(1.5, 3.5), '#fff', {
      opacity: 0.9,
    }),
  ).join('');
}

export function curtains(x: number, y: number, width: number, height: number, color: string): string {
  const side = d`M${x - 46} ${y - 34}h${width * 0.2}q${-width * 0.02} ${height * 0.6} ${-width * 0.14} ${height + 60}h${-width * 0.06 - 20}Z`;
  const other = d`M${x + width + 46} ${y - 34}h${-width * 0.2}q${width * 0.02} ${height * 0.6} ${width * 0.14} ${height + 60}h${width * 0.06 + 20}Z`;
  return path(side + other, color) + line(d`M${x - 70} ${y - 40}h${width + 140}`, palette.walnut, 10);
}

/** A lamp that hangs from the ceiling, its shade's lower edge at y. */
export function pendant(x: number, y: number, color: string): string {
  const shade = path(
    d`M${x - 74} ${y}Q${x - 60} ${y - 78} ${x - 12} ${y - 84}H${x + 12}Q${x + 60} ${y - 78} ${x + 74} ${y}Z`,
    color,
  );
  return line(d`M${x} 0V${y - 80}`, '#33302a', 5) + circle(x, y - 2, 24, palette.lampPale) + shade;
}

export function floorLamp(x: number, y: number, height: number): string {
  const top = y - height;
  const shade =
    path(d`M${x - 40} ${top}h80l26 92h-132Z`, palette.lamp) + rect(x - 66, top + 84, 132, 8, palette.lampHigh);
  return line(d`M${x} ${top + 80}V${y}`, '#33302a', 8) + ellipse(x, y, 52, 10, '#33302a') + shade;
}

/** The indoor unit of a heat pump on a wall, with the air it sends down. */
export function indoorUnit(x: number, y: number, width: number): string {
  const height = width * 0.3;
  const air = [0.26, 0.5, 0.74].map((share) => d`M${x + width * share} ${y + height + 16}q12 22 0 44t0 44`);
  return [
    rect(x, y, width, height, '#fff', { rx: height * 0.22 }),
    rect(x + width * 0.06, y + height * 0.72, width * 0.88, height * 0.14, '#b9ccc9', { rx: 4 }),
    circle(x + width * 0.9, y + height * 0.3, 5, '#63b78d'),
    line(air.join(''), palette.door, 6, { opacity: 0.75 }),
  ].join('');
}

export function rug(x: number, y: number, width: number, color: string, edge: string): string {
  return ellipse(x, y, width / 2, width * 0.1, edge) + ellipse(x, y, width / 2 - 18, width * 0.1 - 9, color);
}

export function pottedPlant(x: number, y: number, scale: number, pot: string): string {
  const leaves = [-60, -36, -12, 12, 36, 60].map((turn) =>
    at(0, -70, path('M0 0Q-26-60 0-128 26-60 0 0Z', turn % 24 === 0 ? '#2f7a62' : '#3d8f70'), { turn }),
  );
  return at(x, y, leaves.join('') + path('M-48-80H48L36 0H-36Z', pot) + rect(-54, -92, 108, 20, pot, { rx: 4 }), {
    scale,
  });
}

export function bookshelf(canvas: Canvas, x: number, y: number, width: number, rows: number): string {
  const { random } = canvas;
  const colors = [
    palette.brick,
    palette.spruce500,
    palette.lamp,
    palette.cream,
    palette.sage,
    palette.spruce800,
    palette.blush,
  ];
  const shelves = Array.from({ length: rows }, (_, row) => {
    const bottom = y - row * 96 - 14;
    const books: string[] = [];
    for (let left = x + 14; left < x + width - 34; ) {
      const [thick, tall] = [random.between(13, 26), random.between(48, 72)];
      books.push(rect(left, bottom - tall, thick, tall, random.pick(colors), { rx: 2 }));
      left += thick + (random.chance(0.12) ? 22 : 3);
    }
    return rect(x + 8, bottom - 82, width - 16, 82, palette.walnut) + books.join('');
  });
  return rect(x, y - rows * 96 - 12, width, rows * 96 + 12, palette.oak, { rx: 4 }) + shelves.join('');
}

/** A cat that sits with its back to us and looks out, on (x, y). */
export function sittingCat(x: number, y: number, scale: number, color: string): string {
  const shapes = [
    line('M36-14q60 6 62-40t-18-46', color, 15),
    path('M-46 0Q-58-70-26-104 0-126 26-104 58-70 46 0Z', color),
    circle(0, -128, 34, color) + path('M-32-140l-2-42 28 20ZM32-140l2-42-28 20Z', color),
  ];
  return at(x, y, shapes.join(''), { scale });
}

/** A dog that sleeps curled on the floor. */
export function sleepingDog(x: number, y: number, scale: number, color: string, ear: string): string {
  const shapes = [
    path('M-120 0Q-136-70-60-84 40-98 96-58 130-30 104 0Z', color),
    line('M-110-12q-36-2-44-34', color, 15),
    ellipse(92, -28, 46, 34, color) + ellipse(128, -16, 24, 17, color) + circle(146, -20, 8, '#20211f'),
    ellipse(72, -34, 17, 32, ear, { transform: 'rotate(22 72 -34)' }) + line('M102-38q8 6 16 2', '#20211f', 3.5),
  ];
  return at(x, y, shapes.join(''), { scale });
}

export function table(x: number, y: number, width: number, height: number, color: string): string {
  const legs =
    rect(x + 22, y - height, 18, height, palette.walnut) + rect(x + width - 40, y - height, 18, height, palette.walnut);
  return legs + rect(x, y - height - 10, width, 26, color, { rx: 6 });
}

export function mug(x: number, y: number, color: string): string {
  const steam = line(d`M${x - 8} ${y - 56}q8-12 0-24t0-24M${x + 12} ${y - 56}q8-12 0-24t0-24`, '#fff', 4, {
    opacity: 0.6,
  });
  return (
    steam + rect(x - 22, y - 46, 44, 46, color, { rx: 7 }) + line(d`M${x + 22} ${y - 36}q22 0 20 14t-20 12`, color, 7)
  );
}
