import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OverlayOptions } from 'sharp';
import { SHARE_IMAGE_PHOTO_SIZE, SHARE_IMAGE_SIZE, type ShareImageKind } from '#contract/share-images.ts';
import { cutText } from '#domain/cut-text.ts';
import { safeSharp } from '#server/gateways/pictures/safe-sharp.ts';
import { type Fit, fitText, placeBlock, printableText, type TextRenderer, textRenderer } from './image-text.ts';
import type { ShareImageFacts } from './share-images.ts';

/** Draws a PNG. The photo must be a re-encoded one of the pictures gateway. */
export type ShareImagePainter = (facts: ShareImageFacts, photo: Buffer | undefined) => Promise<Buffer>;

/** Colors from src/web/styles/tokens.css. */
const SNOW = '#f4faf8';
const MUTED = '#d3e4e1';
const LAMP = '#ffc24b';

const EDGE = 64;
const MARK = 56;
/** Characters. A longer text never fits. */
const MAX_STORY_LENGTH = 320;
const PHOTO_LEFT = SHARE_IMAGE_SIZE.width - EDGE - SHARE_IMAGE_PHOTO_SIZE.width;

/** The label above the name, and the replacement for a name with unsupported letters. */
const LABELS: Record<ShareImageKind, { readonly above: string; readonly fallback: string }> = {
  offsetters: { above: 'Offsetter', fallback: 'An offsetter’s story' },
  awardees: { above: 'Awardee', fallback: 'An awardee’s story' },
  installers: { above: 'Installer', fallback: 'An installer’s story' },
};

type Assets = {
  readonly file: (name: string) => Promise<Buffer>;
  readonly letters: ReadonlySet<string>;
  readonly render: TextRenderer;
};

/** @param folder of the assets, which are read on first use */
export function shareImagePainter(folder: string): ShareImagePainter {
  let loading: Promise<Assets> | undefined;
  return async (facts, photo) => {
    loading ??= loadAssets(folder);
    const assets = await loading;
    const layers = facts.story
      ? await storyLayers(assets, facts, facts.story.kind, photo)
      : await orgLayers(assets, facts, photo);
    const [background, ...above] = layers;
    const sharp = await safeSharp();
    return await sharp(background).composite(above).png({ palette: true, quality: 92, effort: 4 }).toBuffer();
  };
}

async function loadAssets(folder: string): Promise<Assets> {
  const file = (name: string) => readFile(path.join(folder, name));
  return { file, letters: new Set(Array.from((await file('letters.txt')).toString())), render: textRenderer(folder) };
}

type Layers = readonly [background: Buffer, ...above: OverlayOptions[]];

/** The tag over the organization's photo or the default picture. */
async function orgLayers(assets: Assets, facts: ShareImageFacts, photo: Buffer | undefined): Promise<Layers> {
  const head = await headLayers(assets, facts.orgName, SHARE_IMAGE_SIZE.width - 2 * EDGE);
  const style = { face: 'title', color: SNOW, width: SHARE_IMAGE_SIZE.width - 3 * EDGE } as const;
  const title = await fitText(assets.render, printableText(facts.title, assets.letters), style, {
    sizes: [92, 76, 62],
    height: 280,
  });
  const words = title ? [placeBlock(title, EDGE, 168)] : [];
  if (!photo) return [await assets.file('org.png'), ...head, ...words];
  const sharp = await safeSharp();
  const background = await sharp(photo)
    .resize({ ...SHARE_IMAGE_SIZE, fit: 'cover' })
    .png()
    .toBuffer();
  return [background, { input: await assets.file('shade.png') }, ...head, ...words];
}

/** Name and first words, next to the photo if there is one. */
async function storyLayers(
  assets: Assets,
  facts: ShareImageFacts,
  kind: ShareImageKind,
  photo: Buffer | undefined,
): Promise<Layers> {
  const width = (photo ? PHOTO_LEFT - EDGE : SHARE_IMAGE_SIZE.width - EDGE) - EDGE;
  const layers = await headLayers(assets, facts.orgName, width);
  let top = 176;
  const below = async (text: string, style: { face: 'title' | 'text'; color: string }, fit: Fit) => {
    const block = await fitText(assets.render, text, { ...style, width }, fit);
    if (!block) return;
    layers.push(placeBlock(block, EDGE, top));
    top += block.height + 26;
  };
  const { above, fallback } = LABELS[kind];
  await below(above, { face: 'text', color: LAMP }, { sizes: [28], height: 40 });
  const name = printableText(facts.title, assets.letters) || fallback;
  await below(name, { face: 'title', color: SNOW }, { sizes: [68, 56, 46], height: 150 });
  const words = printableText(cutText(facts.words, MAX_STORY_LENGTH), assets.letters);
  await below(words, { face: 'text', color: MUTED }, { sizes: [32], height: SHARE_IMAGE_SIZE.height - EDGE - top });
  const framed = photo ? [{ input: await framedPhoto(assets, photo), left: PHOTO_LEFT, top: EDGE }] : [];
  return [await assets.file('story.png'), ...layers, ...framed];
}

/** The logo and the organization's name. */
async function headLayers(
  { file, letters, render }: Assets,
  orgName: string,
  width: number,
): Promise<OverlayOptions[]> {
  const left = EDGE + MARK + 12;
  const style = { face: 'title', color: SNOW, width: width - MARK - 12 } as const;
  const name = await fitText(render, printableText(orgName, letters), style, { sizes: [36, 30, 26], height: 48 });
  const middle = EDGE + MARK / 2 - 8;
  const mark = { input: await file('mark.png'), left: EDGE - 8, top: Math.round(middle - MARK / 2) };
  return name ? [mark, placeBlock(name, left, middle + 2 - name.height / 2)] : [mark];
}

async function framedPhoto({ file }: Assets, photo: Buffer): Promise<Buffer> {
  const sharp = await safeSharp();
  return await sharp(photo)
    .resize({ ...SHARE_IMAGE_PHOTO_SIZE, fit: 'cover', position: sharp.strategy.attention })
    .ensureAlpha()
    .composite([{ input: await file('frame.png'), blend: 'dest-in' }])
    .png()
    .toBuffer();
}
