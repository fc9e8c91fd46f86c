import { palette } from '#scripts/drawing/palette.ts';
import { circle, d, line, path, rect } from '#scripts/drawing/svg.ts';

export type Light = 'lit' | 'dark' | 'day';

/** A house seen from its gable side, standing on (x, y), its lower left corner. */
export type House = {
  x: number;
  y: number;
  width: number;
  /** From the ground to the eaves. */
  height: number;
  wall: string;
  roof: string;
  door: string;
  trim?: string;
  /** The windows from top left to bottom right, row by row, two in a row; fewer leave the last places empty. */
  windows: readonly Light[];
  /** Where the door stands, as a share of the width; a house without one has its windows all the way down. */
  doorAt?: number;
  snow?: boolean;
};

const PANES: Readonly<Record<Light, string>> = { lit: 'url(#lamp)', dark: '#12343c', day: 'url(#shine)' };

export function gableHouse(house: House): string {
  const { x, y, width, height, wall, windows, doorAt } = house;
  const rows = Math.max(1, Math.ceil(windows.length / 2));
  const eaves = y - height;
  const panes = windows.map((light, index) => {
    const row = Math.floor(index / 2);
    const left = x + width * (index % 2 === 0 ? 0.15 : 0.62);
    return sashWindow(
      left,
      eaves + height * (0.1 + row / rows),
      width * 0.23,
      (height * 0.56) / rows,
      light,
      house.trim,
    );
  });
  return [
    path(gableOutline(house), wall),
    clapboards(x + 4, eaves, width - 8, height),
    attic(house),
    ...panes,
    doorAt === undefined ? '' : frontDoor(x + width * doorAt, y, width * 0.19, height * 0.42, house.door),
    gableRoof(house),
  ].join('');
}

function gableOutline({ x, y, width, height }: House): string {
  return d`M${x} ${y}V${y - height}L${x + width / 2} ${y - height - width * 0.44}L${x + width} ${y - height}V${y}Z`;
}

/** Clapboards: faint lines across a wall whose lower left corner is (x, y + height). */
export function clapboards(x: number, y: number, width: number, height: number): string {
  const rows = Array.from({ length: Math.floor(height / 26) }, (_, row) => d`M${x} ${y + (row + 1) * 26}h${width}`);
  return line(rows.join(''), '#07202a', 2, { opacity: 0.1 });
}

function attic({ x, y, width, height, windows, trim = palette.cream }: House): string {
  const [cx, cy, r] = [x + width / 2, y - height - width * 0.17, width * 0.065];
  const light = windows[0] ?? 'dark';
  return (
    circle(cx, cy, r + 5, trim) +
    circle(cx, cy, r, PANES[light]) +
    line(d`M${cx - r} ${cy}h${2 * r}M${cx} ${cy - r}v${2 * r}`, trim, 3)
  );
}

function gableRoof({ x, y, width, height, roof, snow }: House): string {
  const [eaves, middle, thick] = [y - height, x + width / 2, width * 0.062];
  const peak = eaves - width * 0.44;
  const [left, right, drop] = [x - width * 0.09, x + width * 1.09, width * 0.08];
  const outline = d`M${left} ${eaves + drop}L${middle} ${peak}L${right} ${eaves + drop}`;
  const slabs = line(outline, roof, thick, { 'stroke-linejoin': 'miter', 'stroke-linecap': 'butt' });
  if (!snow) return slabs;
  const lift = thick * 0.7;
  const cover = d`M${left} ${eaves + drop - lift}L${middle} ${peak - lift}L${right} ${eaves + drop - lift}`;
  return slabs + line(cover, '#fff', thick * 0.62);
}

/** A window with sash bars and a sill; a lit one shows what hangs inside as a lighter band. */
export function sashWindow(
  x: number,
  y: number,
  width: number,
  height: number,
  light: Light,
  trim: string = palette.cream,
): string {
  const frame = Math.max(4, width * 0.07);
  const bars = d`M${x + width / 2} ${y}v${height}M${x} ${y + height * 0.48}h${width}`;
  return [
    rect(x - frame, y - frame, width + 2 * frame, height + 2 * frame, trim, { rx: 2 }),
    rect(x, y, width, height, PANES[light]),
    light === 'lit' ? rect(x, y, width, height * 0.16, '#fff', { opacity: 0.35 }) : '',
    line(bars, trim, frame * 0.7, { 'stroke-linecap': 'butt' }),
    rect(x - frame * 2, y + height + frame * 0.6, width + frame * 4, frame * 1.3, trim, { rx: 2 }),
  ].join('');
}

/** A door with a light above its panels and a step before it. */
export function frontDoor(x: number, y: number, width: number, height: number, color: string): string {
  const inset = width * 0.18;
  return [
    rect(x - width * 0.1, y - height - width * 0.1, width * 1.2, height + width * 0.1, palette.cream),
    rect(x, y - height, width, height, color),
    rect(x + inset, y - height * 0.88, width - 2 * inset, height * 0.26, 'url(#lamp)', { rx: 2 }),
    rect(x + inset, y - height * 0.52, width - 2 * inset, height * 0.42, '#07202a', { rx: 2, opacity: 0.16 }),
    circle(x + width * 0.86, y - height * 0.48, Math.max(2.5, width * 0.05), palette.lampHigh),
    rect(x - width * 0.3, y - 3, width * 1.6, width * 0.12 + 3, '#8d9c98'),
  ].join('');
}

export function chimney(x: number, y: number, width: number, height: number, color: string): string {
  return rect(x, y - height, width, height, color) + rect(x - 5, y - height - 10, width + 10, 12, color);
}

/** The outdoor unit of a heat pump, 150 wide at scale 1, standing on (x, y), its lower left corner. */
export function heatPump(x: number, y: number, scale: number, turn = 0): string {
  const s = (value: number) => value * scale;
  const [cx, cy, r] = [x + s(58), y - s(68), s(42)];
  const blades = [0, 1, 2, 3].map((blade) => {
    const angle = ((blade * 90 + turn) * Math.PI) / 180;
    const [bx, by] = [Math.cos(angle) * r * 0.86, Math.sin(angle) * r * 0.86];
    return d`M${cx} ${cy}Q${cx + bx * 0.4 - by * 0.5} ${cy + by * 0.4 + bx * 0.5} ${cx + bx} ${cy + by}Q${cx + bx * 0.7} ${cy + by * 0.7} ${cx} ${cy}Z`;
  });
  const slats = [0, 1, 2, 3, 4, 5].map((slat) => d`M${x + s(112)} ${y - s(100 - slat * 14)}h${s(26)}`);
  return [
    rect(x + s(14), y - s(9), s(20), s(9), '#54706f') + rect(x + s(116), y - s(9), s(20), s(9), '#54706f'),
    rect(x, y - s(126), s(150), s(118), '#f4faf8', { rx: s(8) }),
    rect(x, y - s(24), s(150), s(16), '#cddcd8', { rx: s(6) }),
    circle(cx, cy, r + s(5), '#cddcd8') + circle(cx, cy, r, '#5d7f80'),
    path(blades.join(''), '#e6efec') + circle(cx, cy, s(8), '#2b7277'),
    line(d`M${cx - r} ${cy}h${2 * r}M${cx} ${cy - r}v${2 * r}`, '#cddcd8', s(2.5)),
    line(slats.join(''), '#8fb3ad', s(4)),
  ].join('');
}
