import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OverlayOptions } from 'sharp';
import { SHARE_IMAGE_PHOTO_SIZE, SHARE_IMAGE_SIZE, type ShareImageKind } from '#contract/share-images.ts';
import { truncateText } from '#domain/truncate-text.ts';
import { loadSafeSharp } from '#server/gateways/pictures/safe-sharp.ts';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';
import { createTextRenderer, type Fit, fitText, placeBlock, type TextRenderer, toPrintableText } from './image-text.ts';
import type { ShareImageFacts } from './share-images.ts';

/** Draws a PNG. The photo must have been re-encoded by the pictures gateway. */
export type ShareImagePainter = (facts: ShareImageFacts, photo: Buffer | undefined) => Promise<Buffer>;

/** Colors from src/web/styles/tokens.css. */
const SNOW = '#f4faf8';
const MUTED = '#d3e4e1';
const LAMP = '#ffc24b';

const MARGIN = 64;
const LOGO_SIZE = 56;
/** In characters. Longer text never fits. */
const MAX_STORY_LENGTH = 320;
const PHOTO_LEFT = SHARE_IMAGE_SIZE.width - MARGIN - SHARE_IMAGE_PHOTO_SIZE.width;

/** The label above the name, and the replacement for a name with unsupported letters. */
const LABELS: Record<ShareImageKind, { readonly label: string; readonly fallback: string }> = {
  offsetters: { label: 'Offsetter', fallback: 'An offsetter’s story' },
  awardees: { label: 'Awardee', fallback: 'An awardee’s story' },
  installers: { label: 'Installer', fallback: 'An installer’s story' },
};

type Assets = {
  readonly readAsset: (name: string) => Promise<Buffer>;
  readonly letters: ReadonlySet<string>;
  readonly render: TextRenderer;
};

/** @param folder asset folder; its files are read on first use */
export function createShareImagePainter(folder: string): ShareImagePainter {
  const getAssets = cacheOnSuccess(() => loadAssets(folder));
  return async (facts, photo) => {
    const assets = await getAssets();
    const layers = facts.story
      ? await composeStoryLayers(assets, facts, facts.story.kind, photo)
      : await composeOrgLayers(assets, facts, photo);
    const [background, ...overlays] = layers;
    const sharp = await loadSafeSharp();
    return await sharp(background).composite(overlays).png({ palette: true, quality: 92, effort: 4 }).toBuffer();
  };
}

async function loadAssets(folder: string): Promise<Assets> {
  const readAsset = (name: string) => readFile(path.join(folder, name));
  return {
    readAsset,
    letters: new Set(Array.from((await readAsset('letters.txt')).toString())),
    render: createTextRenderer(folder),
  };
}

type Layers = readonly [background: Buffer, ...above: OverlayOptions[]];

/** Composes the tag over the organization's photo or the default picture. */
async function composeOrgLayers(assets: Assets, facts: ShareImageFacts, photo: Buffer | undefined): Promise<Layers> {
  const headerLayers = await composeHeaderLayers(assets, facts.orgName, SHARE_IMAGE_SIZE.width - 2 * MARGIN);
  const style = { face: 'title', color: SNOW, width: SHARE_IMAGE_SIZE.width - 3 * MARGIN } as const;
  const title = await fitText(assets.render, toPrintableText(facts.title, assets.letters), style, {
    sizes: [92, 76, 62],
    height: 280,
  });
  const words = title ? [placeBlock(title, MARGIN, 168)] : [];
  if (!photo) return [await assets.readAsset('org.png'), ...headerLayers, ...words];
  const sharp = await loadSafeSharp();
  const background = await sharp(photo)
    .resize({ ...SHARE_IMAGE_SIZE, fit: 'cover' })
    .png()
    .toBuffer();
  return [background, { input: await assets.readAsset('shade.png') }, ...headerLayers, ...words];
}

/** Composes the name and the beginning of the story, next to the photo if there is one. */
async function composeStoryLayers(
  assets: Assets,
  facts: ShareImageFacts,
  kind: ShareImageKind,
  photo: Buffer | undefined,
): Promise<Layers> {
  const width = (photo ? PHOTO_LEFT - MARGIN : SHARE_IMAGE_SIZE.width - MARGIN) - MARGIN;
  const layers = await composeHeaderLayers(assets, facts.orgName, width);
  let top = 176;
  const addBelow = async (text: string, style: { face: 'title' | 'text'; color: string }, fit: Fit) => {
    const block = await fitText(assets.render, text, { ...style, width }, fit);
    if (!block) return;
    layers.push(placeBlock(block, MARGIN, top));
    top += block.height + 26;
  };
  const { label: labelText, fallback } = LABELS[kind];
  await addBelow(labelText, { face: 'text', color: LAMP }, { sizes: [28], height: 40 });
  const name = toPrintableText(facts.title, assets.letters) || fallback;
  await addBelow(name, { face: 'title', color: SNOW }, { sizes: [68, 56, 46], height: 150 });
  const words = toPrintableText(truncateText(facts.storyText, MAX_STORY_LENGTH), assets.letters);
  await addBelow(
    words,
    { face: 'text', color: MUTED },
    { sizes: [32], height: SHARE_IMAGE_SIZE.height - MARGIN - top },
  );
  const photoLayers = photo ? [{ input: await framePhoto(assets, photo), left: PHOTO_LEFT, top: MARGIN }] : [];
  return [await assets.readAsset('story.png'), ...layers, ...photoLayers];
}

/** Composes the logo and the organization's name. */
async function composeHeaderLayers(
  { readAsset, letters, render }: Assets,
  orgName: string,
  width: number,
): Promise<OverlayOptions[]> {
  const left = MARGIN + LOGO_SIZE + 12;
  const style = { face: 'title', color: SNOW, width: width - LOGO_SIZE - 12 } as const;
  const name = await fitText(render, toPrintableText(orgName, letters), style, { sizes: [36, 30, 26], height: 48 });
  const middle = MARGIN + LOGO_SIZE / 2 - 8;
  const logo = { input: await readAsset('mark.png'), left: MARGIN - 8, top: Math.round(middle - LOGO_SIZE / 2) };
  return name ? [logo, placeBlock(name, left, middle + 2 - name.height / 2)] : [logo];
}

async function framePhoto({ readAsset }: Assets, photo: Buffer): Promise<Buffer> {
  const sharp = await loadSafeSharp();
  return await sharp(photo)
    .resize({ ...SHARE_IMAGE_PHOTO_SIZE, fit: 'cover', position: sharp.strategy.attention })
    .ensureAlpha()
    .composite([{ input: await readAsset('frame.png'), blend: 'dest-in' }])
    .png()
    .toBuffer();
}
