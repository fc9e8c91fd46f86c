/** SVG written as text: elements, path data with short numbers, gradients. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element; a number gets one decimal (opacities and offsets below 2 get two), and what is undefined is left out. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : value}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** Path data as a template: d`M${x} ${y}h${width}` with every number kept to one decimal. */
export function d(texts: TemplateStringsArray, ...numbers: readonly number[]): string {
  return texts.reduce((data, text, index) => data + short(numbers[index - 1] ?? 0, 10) + text);
}

export function path(data: string, fill: string, more: Attributes = {}): string {
  return element('path', { d: data, fill, ...more });
}

/** An unfilled line with round ends. */
export function line(data: string, stroke: string, width: number, more: Attributes = {}): string {
  const round = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  return element('path', { d: data, fill: 'none', stroke, 'stroke-width': width, ...round, ...more });
}

export function circle(cx: number, cy: number, r: number, fill: string, more: Attributes = {}): string {
  return element('circle', { cx, cy, r, fill, ...more });
}

export function ellipse(cx: number, cy: number, rx: number, ry: number, fill: string, more: Attributes = {}): string {
  return element('ellipse', { cx, cy, rx, ry, fill, ...more });
}

export function rect(x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): string {
  return element('rect', { x, y, width, height, fill, ...more });
}

export function polygon(points: readonly (readonly [number, number])[], fill: string, more: Attributes = {}): string {
  return path(`M${points.map(([x, y]) => d`${x} ${y}`).join('L')}Z`, fill, more);
}

/** Children moved, and then scaled and turned about the point they were moved to. */
export function at(
  x: number,
  y: number,
  children: string,
  more: { scale?: number | string; turn?: number } = {},
): string {
  const turn = more.turn === undefined ? '' : ` rotate(${short(more.turn)})`;
  const scale =
    more.scale === undefined ? '' : ` scale(${typeof more.scale === 'number' ? short(more.scale) : more.scale})`;
  return element('g', { transform: `translate(${d`${x} ${y}`})${turn}${scale}` }, children);
}

export type Stop = readonly [offset: number, color: string, opacity?: number];

/** A gradient from top to bottom. */
export function verticalGradient(id: string, stops: readonly Stop[]): string {
  return element('linearGradient', { id, x2: 0, y2: 1 }, ...stops.map(gradientStop));
}

/** A gradient from the middle outwards. */
export function radialGradient(id: string, stops: readonly Stop[]): string {
  return element('radialGradient', { id }, ...stops.map(gradientStop));
}

export function svg(width: number, height: number, more: Attributes, ...children: readonly string[]): string {
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, ...more };
  return element('svg', attributes, ...children);
}

function gradientStop([offset, color, opacity]: Stop): string {
  return element('stop', { offset, 'stop-color': color, 'stop-opacity': opacity });
}

function short(value: number, steps = Math.abs(value) < 2 ? 100 : 10): string {
  return String(Math.round(value * steps) / steps);
}
