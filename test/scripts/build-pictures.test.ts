import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { expect, onTestFinished, test } from 'vitest';
import { buildDrawings } from '#scripts/build/drawings.ts';
import { buildFonts, extendedRange, latinRange } from '#scripts/build/fonts.ts';
import { withSubscriptTwo } from '#scripts/build/subscript-two.ts';
import { valleySvg } from '#scripts/drawing/valley.ts';
import { landSvg } from '#scripts/drawing/world.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('the drawings are written as SVG into a folder that need not exist', async () => {
  const folder = join(await emptyFolder(), 'img');
  await buildDrawings(folder);
  expect((await readdir(folder)).toSorted()).toEqual(['hero.svg', 'icon.svg', 'land.svg']);
  for (const name of ['hero.svg', 'icon.svg', 'land.svg']) {
    const drawing = await readFile(join(folder, name), 'utf8');
    expect(drawing).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*<\/svg>$/s);
    expect(drawing).not.toMatch(/NaN|undefined|Infinity|<script|<text/);
  }
});

test('the hero is the same valley on every build, in less than 50 KB, cropped from its bottom middle', () => {
  const hero = valleySvg();
  expect(valleySvg()).toBe(hero);
  expect(hero.length).toBeLessThan(50_000);
  expect(hero).toContain('preserveAspectRatio="xMidYMax slice"');
});

/** The x of every point of a path of relative steps, shape by shape. */
function shapesOf(drawing: string): number[][] {
  const data = / d="([^"]+)"/.exec(drawing)?.[1] ?? '';
  return data
    .split('z')
    .filter((shape) => shape !== '')
    .map((shape) => {
      let x = 0;
      return [...shape.matchAll(/[Ml](-?\d+)/g)].map(([, step]) => (x += Number(step)));
    });
}

test('no land leaps across the map where it crosses the date line', () => {
  const shapes = shapesOf(landSvg());
  expect(shapes.length).toBeGreaterThan(100);
  for (const shape of shapes) {
    expect(Math.min(...shape)).toBeGreaterThanOrEqual(-1800);
    expect(Math.max(...shape)).toBeLessThanOrEqual(1800);
    const steps = shape.map((x, index) => Math.abs(x - (shape.at(index - 1) ?? x)));
    expect(Math.max(...steps)).toBeLessThan(900);
  }
});

test('land reaches the date line from both sides, for Chukotka lies across it', () => {
  const edges = shapesOf(landSvg()).flat();
  expect(Math.min(...edges)).toBe(-1800);
  expect(Math.max(...edges)).toBe(1800);
});

test('the two typefaces are small, and their further letters wait in files of their own', async () => {
  const folder = await emptyFolder();
  await buildFonts(folder);
  const size = async (name: string) => (await stat(join(folder, name))).size;
  expect((await size('bricolage.woff2')) + (await size('figtree.woff2'))).toBeLessThan(50_000);
  expect((await size('bricolage-ext.woff2')) + (await size('figtree-ext.woff2'))).toBeLessThan(20_000);
});

test('the style asks each file for the letters it has', async () => {
  const style = await readFile(new URL('../../src/web/styles/fonts.css', import.meta.url), 'utf8');
  const ranges = [...style.matchAll(/unicode-range:([^;]+);/g)].map(([, range = '']) => range.replace(/\s/g, ''));
  expect(ranges).toEqual([latinRange, extendedRange, latinRange, extendedRange]);
});

test('both typefaces get a ₂ of their own, and a font without a small 2 is refused', async () => {
  for (const family of ['bricolage-grotesque', 'figtree']) {
    const file = `@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`;
    const source = await readFile(createRequire(import.meta.url).resolve(file));
    const whole = { targetFormat: 'truetype', keepAllGlyphs: true, glyphNames: true } as const;
    const named = await subsetFont(source, '', whole);
    const only = (font: Buffer) => subsetFont(font, '₂', { targetFormat: 'truetype' });
    expect((await only(withSubscriptTwo(named))).length).toBeGreaterThan((await only(named)).length);
    expect(() => withSubscriptTwo(named.subarray(0, 11))).toThrow();
    const letters = await subsetFont(named, 'abc', { targetFormat: 'truetype', glyphNames: true });
    expect(() => withSubscriptTwo(letters)).toThrow('The font has no glyph named two.dnom');
  }
});
