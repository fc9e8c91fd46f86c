import { d, element, path, rect } from './svg.ts';

/** A gabled house that stands on (x, y), its lower left corner. The dark ones have windows without light. */
export type ValleyHouse = {
  x: number;
  y: number;
  width: number;
  height: number;
  wall: string;
  roof: string;
  lit: { left: boolean; right: boolean; below: boolean; door: boolean };
};

const DARK_PANE = '#0d3135';

/** The light a house throws on what stands around it. Painted before the house; needs the gradient `glow`. */
export function houseGlow({ x, y, width, height }: ValleyHouse): string {
  const [cx, cy] = [x + width / 2, y - height * 0.4];
  return element('ellipse', { cx, cy, rx: width * 0.95, ry: height * 0.85, fill: 'url(#glow)' });
}

/** The house itself. Needs the gradient `pane`. */
export function valleyHouse(house: ValleyHouse): string {
  const { x, y, width, height, lit } = house;
  const eaves = y - height;
  return [
    gable(house),
    pane(house, x + width * 0.16, eaves + height * 0.14, lit.left),
    pane(house, x + width * 0.65, eaves + height * 0.14, lit.right),
    pane(house, x + width * 0.16, eaves + height * 0.58, lit.below),
    rect(x + width * 0.6, y - height * 0.44, width * 0.22, height * 0.44, lit.door ? '#d9893a' : '#0a2a2f', {
      rx: 1.5,
    }),
    element('circle', {
      cx: x + width / 2,
      cy: eaves - width * 0.16,
      r: width * 0.055,
      fill: lit.left ? '#ffd27a' : DARK_PANE,
    }),
  ].join('');
}

function gable({ x, y, width, height, wall, roof }: ValleyHouse): string {
  const [middle, eaves, right] = [x + width / 2, y - height, x + width];
  const ridge = eaves - width * 0.42;
  const walls = d`M${x} ${y}V${eaves}L${middle} ${ridge}L${right} ${eaves}V${y}Z`;
  const overhang =
    d`M${x - width * 0.09} ${eaves + width * 0.06}L${middle} ${ridge - width * 0.03}L${right + width * 0.09} ${eaves + width * 0.06}` +
    d`l${-width * 0.05} ${width * 0.075}L${middle} ${ridge + width * 0.09}L${x - width * 0.04} ${eaves + width * 0.135}Z`;
  return path(walls, wall) + path(overhang, roof);
}

function pane({ wall, width, height }: ValleyHouse, x: number, y: number, lit: boolean): string {
  const [w, h] = [width * 0.19, height * 0.27];
  const glass = rect(x, y, w, h, lit ? 'url(#pane)' : DARK_PANE, { rx: 1.5 });
  if (!lit) return glass;
  const bars = d`M${x + w / 2} ${y}v${h}M${x} ${y + h * 0.45}h${w}`;
  return glass + element('path', { d: bars, stroke: wall, 'stroke-width': 1.6 });
}
