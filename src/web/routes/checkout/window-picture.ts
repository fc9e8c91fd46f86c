import { BLOCK_SIZE, type Street, shapesOf } from '#web/drawings/lit-street.tsx';

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 64;
const FILE_NAME = 'my-window.png';

type Words = { readonly title: string; readonly line: string; readonly url: URL };

/**
 * Opens the device's share sheet with a picture of the street, or saves the picture if there is no share sheet.
 * @throws Error where the browser cannot draw it
 */
export async function shareWindow(street: Street, words: Words): Promise<'shared' | 'saved'> {
  const file = new File([await pictureOf(street, words)], FILE_NAME, { type: 'image/png' });
  const sheet = { files: [file], title: words.title, url: words.url.href };
  if ('canShare' in navigator && navigator.canShare(sheet)) {
    // The visitor closed the share sheet.
    await navigator.share(sheet).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    });
    return 'shared';
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = FILE_NAME;
  link.click();
  URL.revokeObjectURL(link.href);
  return 'saved';
}

async function pictureOf(street: Street, { title, line, url }: Words): Promise<Blob> {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures.');
  const sky = context.createLinearGradient(0, 0, 0, HEIGHT);
  sky.addColorStop(0, '#07202a');
  sky.addColorStop(1, '#17585b');
  context.fillStyle = sky;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  write(context, title, { size: 76, weight: 800, family: 'Bricolage Grotesque', color: '#f4faf8', top: EDGE + 80 });
  write(context, line, { size: 38, weight: 500, family: 'Figtree Variable', color: '#d3e4e1', top: EDGE + 150 });
  write(context, url.host + url.pathname, {
    size: 32,
    weight: 600,
    family: 'Figtree Variable',
    color: '#ffc24b',
    top: EDGE + 212,
  });
  drawStreet(context, street);
  return canvas.convertToBlob({ type: 'image/png' });
}

type Lettering = { size: number; weight: number; family: string; color: string; top: number };

/** On one line, in smaller letters where it is long. */
function write(
  context: OffscreenCanvasRenderingContext2D,
  text: string,
  { size, weight, family, color, top }: Lettering,
): void {
  const font = (pixels: number) => `${weight} ${pixels}px "${family}", sans-serif`;
  context.font = font(size);
  const room = WIDTH - 2 * EDGE;
  context.font = font(Math.min(size, (size * room) / context.measureText(text).width));
  context.fillStyle = color;
  context.fillText(text, EDGE, top);
}

/** The half of the street in which the candle is. */
function drawStreet(context: OffscreenCanvasRenderingContext2D, { blocks }: Street): void {
  const [block] = blocks;
  if (!block) return;
  const scale = WIDTH / BLOCK_SIZE.width;
  context.setTransform(scale, 0, 0, scale, 0, HEIGHT - (BLOCK_SIZE.top + BLOCK_SIZE.height) * scale);
  for (const { d, fill, opacity = 1, stroke, strokeWidth = 1 } of shapesOf(block)) {
    const path = new Path2D(d);
    context.globalAlpha = opacity;
    context.fillStyle = fill;
    if (fill !== 'none') context.fill(path);
    if (stroke === undefined) continue;
    context.strokeStyle = stroke;
    context.lineWidth = strokeWidth;
    context.stroke(path);
  }
}
