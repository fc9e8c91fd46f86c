import { saveFile } from '#web/browser/save-file.ts';
import { buildCandleShapes } from '#web/drawings/candles.tsx';
import { BLOCK_SIZE, buildShapes, type Street } from '#web/drawings/lit-street.tsx';

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 64;
const FILE_NAME = 'my-window.png';

type WindowTexts = { readonly title: string; readonly subtitle: string; readonly url: URL };

/**
 * Opens the device's share sheet with a picture of the street, or saves the picture if there is no share sheet.
 * @throws Error if the browser can't draw the picture
 */
export async function shareWindow(street: Street, texts: WindowTexts): Promise<'shared' | 'saved'> {
  const file = new File([await drawPicture(street, texts)], FILE_NAME, { type: 'image/png' });
  const shareData = { files: [file], title: texts.title, url: texts.url.href };
  if ('canShare' in navigator && navigator.canShare(shareData)) {
    // An AbortError means that the visitor closed the share sheet.
    await navigator.share(shareData).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    });
    return 'shared';
  }
  saveFile(FILE_NAME, file, file.type);
  return 'saved';
}

async function drawPicture(street: Street, { title, subtitle, url }: WindowTexts): Promise<Blob> {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser can’t draw pictures.');
  const sky = context.createLinearGradient(0, 0, 0, HEIGHT);
  sky.addColorStop(0, '#07202a');
  sky.addColorStop(1, '#17585b');
  context.fillStyle = sky;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  writeLine(context, title, {
    size: 76,
    weight: 800,
    family: 'Bricolage Grotesque',
    color: '#f4faf8',
    baseline: MARGIN + 80,
  });
  writeLine(context, subtitle, {
    size: 38,
    weight: 500,
    family: 'Figtree Variable',
    color: '#d3e4e1',
    baseline: MARGIN + 150,
  });
  writeLine(context, url.host + url.pathname, {
    size: 32,
    weight: 600,
    family: 'Figtree Variable',
    color: '#ffc24b',
    baseline: MARGIN + 212,
  });
  drawStreet(context, street);
  return canvas.convertToBlob({ type: 'image/png' });
}

type TextStyle = { size: number; weight: number; family: string; color: string; baseline: number };

/** Draws a line of text, shrinking it to fit. */
function writeLine(
  context: OffscreenCanvasRenderingContext2D,
  text: string,
  { size, weight, family, color, baseline }: TextStyle,
): void {
  const font = (pixels: number) => `${weight} ${pixels}px "${family}", sans-serif`;
  context.font = font(size);
  const maxWidth = WIDTH - 2 * MARGIN;
  context.font = font(Math.min(size, (size * maxWidth) / context.measureText(text).width));
  context.fillStyle = color;
  context.fillText(text, MARGIN, baseline);
}

/** Draws the half of the street that contains the candle. */
function drawStreet(context: OffscreenCanvasRenderingContext2D, { blocks }: Street): void {
  const [block] = blocks;
  if (!block) return;
  const scale = WIDTH / BLOCK_SIZE.width;
  context.setTransform(scale, 0, 0, scale, 0, HEIGHT - (BLOCK_SIZE.top + BLOCK_SIZE.height) * scale);
  for (const { d, fill, opacity = 1, stroke, strokeWidth = 1 } of [
    ...buildShapes(block),
    ...buildCandleShapes(block.candles),
  ]) {
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
