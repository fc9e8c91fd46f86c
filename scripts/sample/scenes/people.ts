import { at, circle, d, ellipse, line, path } from '#scripts/drawing/svg.ts';

type Hair = 'short' | 'long' | 'bun' | 'curly' | 'bald' | 'scarf' | 'beanie' | 'hardHat' | 'cap';
type Pose = 'stand' | 'wave' | 'reach' | 'carry' | 'akimbo' | 'point' | 'hold';

/** A person without a face, standing with the feet on (x, y). Heights of grown people here are about 200 to 300. */
export type Figure = {
  x: number;
  y: number;
  height: number;
  skin: string;
  hair: Hair;
  hairColor: string;
  top: string;
  legs: string;
  pose: Pose;
  /** Turned to the left instead of to the right. */
  mirrored?: boolean;
  vest?: string;
};

export const skins = ['#f2c9a5', '#e0ac84', '#c98d63', '#a56d47', '#7f4f33', '#5c3826'] as const;

/** Elbow and hand of both arms, in shares of the height from the feet's middle; y upwards. */
const ARMS: Readonly<Record<Pose, readonly [Arm, Arm]>> = {
  stand: [arm(-0.15, 0.62, -0.14, 0.46), arm(0.15, 0.62, 0.14, 0.46)],
  wave: [arm(-0.15, 0.62, -0.14, 0.46), arm(0.22, 0.78, 0.24, 0.98)],
  reach: [arm(-0.13, 0.64, -0.02, 0.6), arm(0.2, 0.88, 0.26, 1.04)],
  carry: [arm(-0.14, 0.62, 0.06, 0.56), arm(0.14, 0.6, 0.26, 0.58)],
  akimbo: [arm(-0.23, 0.66, -0.1, 0.53), arm(0.23, 0.66, 0.1, 0.53)],
  point: [arm(-0.15, 0.62, -0.14, 0.46), arm(0.2, 0.74, 0.36, 0.78)],
  hold: [arm(-0.15, 0.62, 0.02, 0.64), arm(0.15, 0.62, 0.04, 0.66)],
};

type Arm = { elbow: readonly [number, number]; hand: readonly [number, number] };

function arm(elbowX: number, elbowY: number, handX: number, handY: number): Arm {
  return { elbow: [elbowX, elbowY], hand: [handX, handY] };
}

export function person(figure: Figure): string {
  const { x, y, mirrored } = figure;
  const [back, front] = ARMS[figure.pose];
  const shapes = [legs(figure), limb(figure, back, -1), torso(figure), head(figure), limb(figure, front, 1)].join('');
  return at(x, y, shapes, { scale: mirrored ? '-1 1' : 1 });
}

function legs({ height: h, legs: color }: Figure): string {
  const trousers = line(
    d`M${-0.05 * h} ${-0.48 * h}L${-0.06 * h} ${-0.04 * h}M${0.05 * h} ${-0.48 * h}L${0.065 * h} ${-0.04 * h}`,
    color,
    h * 0.085,
    {
      'stroke-linecap': 'butt',
    },
  );
  const shoes = d`M${-0.11 * h} 0q0 ${-0.045 * h} ${0.06 * h} ${-0.045 * h}h${0.045 * h}v${0.045 * h}ZM${0.02 * h} 0q0 ${-0.045 * h} ${0.04 * h} ${-0.045 * h}q${0.06 * h} 0 ${0.08 * h} ${0.045 * h}Z`;
  return trousers + path(shoes, '#20211f');
}

function torso({ height: h, top, vest }: Figure): string {
  const shape = d`M${-0.1 * h} ${-0.43 * h}L${-0.115 * h} ${-0.74 * h}Q${-0.11 * h} ${-0.81 * h} ${-0.03 * h} ${-0.82 * h}H${0.03 * h}Q${0.11 * h} ${-0.81 * h} ${0.115 * h} ${-0.74 * h}L${0.1 * h} ${-0.43 * h}Z`;
  if (!vest) return path(shape, top);
  const sides = d`M${-0.1 * h} ${-0.43 * h}L${-0.115 * h} ${-0.74 * h}Q${-0.11 * h} ${-0.81 * h} ${-0.05 * h} ${-0.82 * h}L${-0.02 * h} ${-0.43 * h}ZM${0.1 * h} ${-0.43 * h}L${0.115 * h} ${-0.74 * h}Q${0.11 * h} ${-0.81 * h} ${0.05 * h} ${-0.82 * h}L${0.02 * h} ${-0.43 * h}Z`;
  return path(shape, top) + path(sides, vest);
}

function limb({ height: h, top, skin }: Figure, { elbow, hand }: Arm, side: number): string {
  const [shoulderX, shoulderY] = [side * 0.095 * h, -0.765 * h];
  const sleeve = d`M${shoulderX} ${shoulderY}L${elbow[0] * h} ${-elbow[1] * h}L${hand[0] * h} ${-hand[1] * h}`;
  const reach = circle(hand[0] * h, -hand[1] * h, h * 0.036, skin);
  return line(sleeve, '#07202a', h * 0.084, { opacity: 0.14 }) + line(sleeve, top, h * 0.07) + reach;
}

function head(figure: Figure): string {
  const { height: h, skin } = figure;
  const neck = line(d`M0 ${-0.8 * h}v${-0.05 * h}`, skin, h * 0.06, { 'stroke-linecap': 'butt' });
  const back = figure.hair === 'long' ? ellipse(0, -0.87 * h, 0.088 * h, 0.115 * h, figure.hairColor) : '';
  return back + neck + ellipse(0, -0.905 * h, 0.066 * h, 0.078 * h, skin) + hair(figure);
}

function hair({ hair: style, hairColor: color, height: h }: Figure): string {
  const cap = d`M${-0.07 * h} ${-0.895 * h}Q${-0.085 * h} ${-h} 0 ${-0.995 * h}Q${0.085 * h} ${-h} ${0.07 * h} ${-0.9 * h}Q${0.045 * h} ${-0.955 * h} ${-0.02 * h} ${-0.95 * h}Q${-0.06 * h} ${-0.945 * h} ${-0.07 * h} ${-0.895 * h}Z`;
  const brimless = d`M${-0.076 * h} ${-0.92 * h}Q${-0.08 * h} ${-1.01 * h} 0 ${-1.012 * h}Q${0.08 * h} ${-1.01 * h} ${0.076 * h} ${-0.92 * h}Z`;
  switch (style) {
    case 'bald':
      return '';
    case 'bun':
      return circle(0, -1.01 * h, 0.036 * h, color) + path(cap, color);
    case 'curly':
      return [-0.06, -0.025, 0.02, 0.06]
        .map((at, index) => circle(at * h, -(index % 3 === 0 ? 0.945 : 0.98) * h, 0.042 * h, color))
        .join('');
    case 'scarf':
      return path(
        d`M${-0.075 * h} ${-0.8 * h}Q${-0.115 * h} ${-h} 0 ${-1.005 * h}Q${0.115 * h} ${-h} ${0.08 * h} ${-0.8 * h}L${0.05 * h} ${-0.83 * h}Q${0.075 * h} ${-0.94 * h} 0 ${-0.955 * h}Q${-0.075 * h} ${-0.94 * h} ${-0.05 * h} ${-0.83 * h}Z`,
        color,
      );
    case 'beanie':
      return (
        path(brimless, color) +
        line(d`M${-0.07 * h} ${-0.925 * h}h${0.14 * h}`, '#fff', h * 0.02, { opacity: 0.5 }) +
        circle(0, -1.02 * h, 0.022 * h, color)
      );
    case 'hardHat':
      return path(brimless, color) + line(d`M${-0.085 * h} ${-0.92 * h}h${0.19 * h}`, color, h * 0.022);
    case 'cap':
      return path(brimless, color) + line(d`M${0.02 * h} ${-0.922 * h}h${0.11 * h}`, color, h * 0.02);
    case 'short':
    case 'long':
      return path(cap, color);
    default:
      return style satisfies never;
  }
}
