import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import subsetFont from 'subset-font';
import { CARD_PHOTO, CARD_SIZE } from '#contract/share-images.ts';
import { houseMarkAloneSvg } from '../drawing/house-mark.ts';
import { palette } from '../drawing/palette.ts';
import { element, rect, svg } from '../drawing/svg.ts';
import { valleySvg } from '../drawing/valley.ts';
import { charactersIn } from './font-tables.ts';
import { charactersOf, extendedLetters, extendedRange, FACES, type Face, latinLetters, latinRange } from './fonts.ts';

const { width: WIDTH, height: HEIGHT } = CARD_SIZE;
const MARK_PIXELS = 56;

/** For the library that sets texts: no typeface but those it is given, so that a card is the same on every machine. */
const FONT_SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig></fontconfig>
`;

/**
 * What share cards are drawn from while the program runs: two pictures of the valley at night, the mark, and the two
 * typefaces as files that the drawing library reads, with the list of the characters that they have. Everything drawn
 * is a bitmap here already: the running program opens no SVG.
 */
export async function buildCardParts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'org.png'), await valley(duskFromAbove()));
  await writeFile(join(folder, 'story.png'), await valley(rect(0, 0, WIDTH, HEIGHT, palette.night, { opacity: 0.8 })));
  await writeFile(join(folder, 'shade.png'), await bitmap(photoShade(), CARD_SIZE));
  const frame = rect(0, 0, CARD_PHOTO.width, CARD_PHOTO.height, '#fff', { rx: 24 });
  await writeFile(join(folder, 'frame.png'), await bitmap(frame, CARD_PHOTO));
  await sharp(Buffer.from(houseMarkAloneSvg()), { density: 72 * 4 })
    .resize(MARK_PIXELS, MARK_PIXELS)
    .png()
    .toFile(join(folder, 'mark.png'));
  await writeFile(join(folder, 'fonts.conf'), FONT_SETTINGS);
  const title = await writeTypeface(folder, 'title', FACES.bricolage, 700);
  const text = await writeTypeface(folder, 'text', FACES.figtree, 500);
  await writeFile(join(folder, 'letters.txt'), title.filter((letter) => text.includes(letter)).join(''));
}

/** The hero's valley, its lower part as wide as the card, under a shade that lets words be read. */
async function valley(shade: string): Promise<Buffer> {
  const drawing = sharp(Buffer.from(valleySvg())).resize(WIDTH, HEIGHT, { fit: 'cover', position: 'bottom' });
  return await drawing
    .composite([{ input: await bitmap(shade, CARD_SIZE) }])
    .png()
    .toBuffer();
}

function bitmap(drawing: string, { width, height }: { width: number; height: number }): Promise<Buffer> {
  return sharp(Buffer.from(svg(width, height, { width, height }, drawing)))
    .png()
    .toBuffer();
}

/** Over an organisation's own photo, whatever it is of: the words stand above. */
function photoShade(): string {
  return shadeFromAbove([
    [0, 0.86],
    [0.6, 0.7],
    [1, 0.45],
  ]);
}

function duskFromAbove(): string {
  return shadeFromAbove([
    [0, 0.9],
    [0.45, 0.66],
    [0.8, 0],
  ]);
}

function shadeFromAbove(stops: readonly (readonly [offset: number, opacity: number])[]): string {
  const children = stops.map(([offset, opacity]) =>
    element('stop', { offset, 'stop-color': palette.night, 'stop-opacity': opacity }),
  );
  const shade = element('linearGradient', { id: 'shade', x1: 0, y1: 0, x2: 0, y2: 1 }, ...children);
  return element('defs', {}, shade) + rect(0, 0, WIDTH, HEIGHT, 'url(#shade)');
}

/** Writes a typeface at one weight, in the two files that its letters come in. @returns the characters that it has */
async function writeTypeface(folder: string, name: string, face: Face, weight: number): Promise<string[]> {
  const write = async (file: string, font: Buffer, range: string) => {
    const options = { targetFormat: 'truetype', variationAxes: { wght: weight } } as const;
    const subset = await subsetFont(font, charactersOf(range), options);
    await writeFile(join(folder, file), subset);
    return charactersIn(subset);
  };
  return [
    ...(await write(`${name}.ttf`, await latinLetters(face), latinRange)),
    ...(await write(`${name}-ext.ttf`, await extendedLetters(face), extendedRange)),
  ];
}

if (import.meta.main) await buildCardParts(fileURLToPath(new URL('../../build/cards', import.meta.url)));
