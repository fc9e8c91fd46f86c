import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { CARD_PHOTO, CARD_SIZE, type CardKind } from '#contract/share-images.ts';
import { cutText } from '#domain/cut-text.ts';
import { settable } from './glyphs.ts';
import { type Fit, fitted, placed, type Typesetter, typesetter } from './image-text.ts';
import type { CardFacts } from './share-images.ts';

/** Draws a card as a PNG. The photo's bytes are of a picture that was made safe. */
export type CardPainter = (facts: CardFacts, photo: Buffer | undefined) => Promise<Buffer>;

/** The look of the site: night, its light words, and the lamp (see src/web/styles/tokens.css). */
const SNOW = '#f4faf8';
const MUTED = '#d3e4e1';
const LAMP = '#ffc24b';

const EDGE = 64;
const MARK = 56;
/** In characters: no card holds more of a story. */
const MOST_WORDS = 320;
const PHOTO_LEFT = CARD_SIZE.width - EDGE - CARD_PHOTO.width;

/** Above the name, and in its place where the typefaces cannot set it. */
const LABELS: Record<CardKind, { readonly above: string; readonly instead: string }> = {
  offsetters: { above: 'Offsetter', instead: 'An offsetter’s story' },
  awardees: { above: 'Awardee', instead: 'An awardee’s story' },
  installers: { above: 'Installer', instead: 'An installer’s story' },
};

type Parts = {
  readonly file: (name: string) => Promise<Buffer>;
  readonly letters: ReadonlySet<string>;
  readonly set: Typesetter;
};

/** Draws from the parts that the build left in a folder, which are read at the first card. */
export function cardPainter(folder: string): CardPainter {
  let opened: Promise<Parts> | undefined;
  return async (facts, photo) => {
    opened ??= openParts(folder);
    const parts = await opened;
    const layers = facts.story
      ? await storyLayers(parts, facts, facts.story.kind, photo)
      : await orgLayers(parts, facts, photo);
    const [ground, ...above] = layers;
    return await sharp(ground).composite(above).png({ palette: true, quality: 92, effort: 4 }).toBuffer();
  };
}

async function openParts(folder: string): Promise<Parts> {
  const file = (name: string) => readFile(path.join(folder, name));
  return { file, letters: new Set(Array.from((await file('letters.txt')).toString())), set: typesetter(folder) };
}

type Layers = readonly [ground: Buffer, ...above: OverlayOptions[]];

/** The tag over the valley, or over the organisation's own photo. */
async function orgLayers(parts: Parts, facts: CardFacts, photo: Buffer | undefined): Promise<Layers> {
  const head = await headLayers(parts, facts.orgName, CARD_SIZE.width - 2 * EDGE);
  const style = { face: 'title', color: SNOW, width: CARD_SIZE.width - 3 * EDGE } as const;
  const title = await fitted(parts.set, settable(facts.title, parts.letters), style, {
    sizes: [92, 76, 62],
    height: 280,
  });
  const words = title ? [placed(title, EDGE, 168)] : [];
  if (!photo) return [await parts.file('org.png'), ...head, ...words];
  const ground = await sharp(photo)
    .resize({ ...CARD_SIZE, fit: 'cover' })
    .png()
    .toBuffer();
  return [ground, { input: await parts.file('shade.png') }, ...head, ...words];
}

/** Name and first words on the night, beside the photo where there is one. */
async function storyLayers(parts: Parts, facts: CardFacts, kind: CardKind, photo: Buffer | undefined): Promise<Layers> {
  const width = (photo ? PHOTO_LEFT - EDGE : CARD_SIZE.width - EDGE) - EDGE;
  const layers = await headLayers(parts, facts.orgName, width);
  let top = 176;
  const below = async (text: string, style: { face: 'title' | 'text'; color: string }, fit: Fit) => {
    const block = await fitted(parts.set, text, { ...style, width }, fit);
    if (!block) return;
    layers.push(placed(block, EDGE, top));
    top += block.height + 26;
  };
  const { above, instead } = LABELS[kind];
  await below(above, { face: 'text', color: LAMP }, { sizes: [28], height: 40 });
  const name = settable(facts.title, parts.letters) || instead;
  await below(name, { face: 'title', color: SNOW }, { sizes: [68, 56, 46], height: 150 });
  const words = settable(cutText(facts.words, MOST_WORDS), parts.letters);
  await below(words, { face: 'text', color: MUTED }, { sizes: [32], height: CARD_SIZE.height - EDGE - top });
  const framed = photo ? [{ input: await framedPhoto(parts, photo), left: PHOTO_LEFT, top: EDGE }] : [];
  return [await parts.file('story.png'), ...layers, ...framed];
}

/** The mark and whose site it is. */
async function headLayers({ file, letters, set }: Parts, orgName: string, width: number): Promise<OverlayOptions[]> {
  const left = EDGE + MARK + 12;
  const style = { face: 'title', color: SNOW, width: width - MARK - 12 } as const;
  const name = await fitted(set, settable(orgName, letters), style, { sizes: [36, 30, 26], height: 48 });
  const middle = EDGE + MARK / 2 - 8;
  const mark = { input: await file('mark.png'), left: EDGE - 8, top: Math.round(middle - MARK / 2) };
  return name ? [mark, placed(name, left, middle + 2 - name.height / 2)] : [mark];
}

async function framedPhoto({ file }: Parts, photo: Buffer): Promise<Buffer> {
  return await sharp(photo)
    .resize({ ...CARD_PHOTO, fit: 'cover', position: sharp.strategy.attention })
    .ensureAlpha()
    .composite([{ input: await file('frame.png'), blend: 'dest-in' }])
    .png()
    .toBuffer();
}
