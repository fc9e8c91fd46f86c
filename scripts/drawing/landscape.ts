import type { Random } from './seeded-random.ts';
import { circle, d, line } from './svg.ts';

/** A hill line across the picture: its path data, closed along the bottom, and its height at any x. */
export type Ridge = { readonly data: string; yAt(x: number): number };

export type RidgeShape = {
  width: number;
  bottom: number;
  y: number;
  /** How far the slow swell rises and falls about `y`. */
  swell: number;
  /** How far single points stray from the swell. */
  roughness: number;
  points: number;
  /** Where in its swell the line starts, in radians. */
  phase: number;
};

export function ridge(random: Random, shape: RidgeShape): Ridge {
  const { width, bottom, y, swell, roughness, points, phase } = shape;
  const heights = Array.from({ length: points + 1 }, (_, index) => {
    const turn = (index / points) * 2 * Math.PI;
    const slow = Math.sin(turn * 1.3 + phase) + 0.45 * Math.sin(turn * 3.1 + phase * 2.3);
    return y + slow * swell + random.between(-roughness, roughness);
  });
  const heightAt = (index: number) => heights[Math.min(points, Math.max(0, index))] ?? y;
  const step = width / points;
  const curves = heights.slice(1).map((height, index) => {
    const middle = (index + 0.5) * step;
    return d`C${middle} ${heightAt(index)} ${middle} ${height} ${(index + 1) * step} ${height}`;
  });
  return {
    data: d`M0 ${bottom}V${heightAt(0)}` + curves.join('') + d`V${bottom}Z`,
    yAt(x) {
      const index = Math.floor(x / step);
      const share = Math.min(1, Math.max(0, x / step - index));
      const eased = share * share * (3 - 2 * share);
      return heightAt(index) * (1 - eased) + heightAt(index + 1) * eased;
    },
  };
}

/** Path data of a conifer of four boughs that stands at (x, y). */
export function conifer(x: number, y: number, height: number): string {
  const boughs = [0, 1, 2, 3].map((bough) => {
    const top = y - height * (1 - bough * 0.2);
    const bottom = y - height * (0.66 - bough * 0.21);
    const reach = height * 0.34 * (0.42 + bough * 0.2);
    return d`M${x} ${top}L${x + reach} ${bottom}Q${x} ${bottom - height * 0.05} ${x - reach} ${bottom}Z`;
  });
  return boughs.join('');
}

/** A broad-leaved tree: trunk and round crown. */
export function roundTree(x: number, y: number, height: number, color: string): string {
  const trunk = line(d`M${x} ${y}v${-height * 0.5}`, color, height * 0.07);
  const [rx, ry] = [height * 0.27, height * 0.36];
  const top = y - height * 0.66;
  return (
    trunk +
    `<path d="${d`M${x - rx} ${top}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`}" fill="${color}"/>`
  );
}

/** Stars that fade towards `lowest`. */
export function stars(random: Random, count: number, width: number, lowest: number): string {
  return Array.from({ length: count }, () => {
    const [x, y] = [random.between(0, width), random.between(8, lowest)];
    const opacity = random.between(0.25, 0.85) * (1 - y / (lowest * 1.15));
    return circle(x, y, random.between(0.7, 1.8), '#fff', { opacity: Math.max(0.05, opacity) });
  }).join('');
}

/** A wind turbine whose blades are turned by `turn` degrees. */
export function turbine(x: number, y: number, height: number, turn: number): string {
  const hub = y - height;
  const blades = [0, 120, 240].map((third) => {
    const angle = ((turn + third) * Math.PI) / 180;
    const reach = height * 0.52;
    return d`M${x} ${hub}L${x + Math.cos(angle) * reach} ${hub + Math.sin(angle) * reach}`;
  });
  return (
    line(d`M${x} ${y}V${hub}`, '#dff0ea', 2, { opacity: 0.7 }) +
    line(blades.join(''), '#eaf6f1', 2.2, { opacity: 0.85 })
  );
}
