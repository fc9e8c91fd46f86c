import { fileURLToPath } from 'node:url';
import { type BuildStep, makeUnlessFresh } from './freshness.ts';

const TOOLS = ['package-lock.json', 'scripts/build'];

/** In the order in which they need each other. Each is imported only when it has something to make. */
const STEPS: readonly BuildStep[] = [
  {
    name: 'cities',
    // The search folds names and reads the file just as the build folds and writes them.
    inputs: [
      ...TOOLS,
      ...['fold-name', 'city-file', 'place-score'].map((part) => `src/server/gateways/places/${part}.ts`),
    ],
    outputs: ['build/cities.tsv.gz'],
    make: async () => (await import('./cities.ts')).buildCities('build/cities.tsv.gz'),
  },
  {
    name: 'drawings',
    inputs: [...TOOLS, 'scripts/drawing'],
    outputs: ['build/public/img/hero.svg', 'build/public/img/land.svg', 'build/public/img/icon.svg'],
    make: async () => (await import('./drawings.ts')).buildDrawings('build/public/img'),
  },
  {
    name: 'icons',
    inputs: [...TOOLS, 'scripts/drawing', 'src/domain/program-name.ts'],
    outputs: ['build/public/manifest.webmanifest', 'build/public/img/icon-512.png'],
    make: async () => (await import('./icons.ts')).buildIcons('build/public'),
  },
  {
    name: 'fonts',
    inputs: TOOLS,
    outputs: ['build/fonts/bricolage.woff2', 'build/fonts/figtree.woff2'],
    make: async () => (await import('./fonts.ts')).buildFonts('build/fonts'),
  },
  {
    name: 'cards',
    inputs: [...TOOLS, 'scripts/drawing', 'src/contract/share-images.ts'],
    outputs: ['build/cards/org.png', 'build/cards/letters.txt', 'build/cards/fonts.conf'],
    make: async () => (await import('./cards.ts')).buildCardParts('build/cards'),
  },
  {
    name: 'sample-pictures',
    inputs: [...TOOLS, 'scripts/drawing', 'scripts/sample'],
    outputs: ['build/sample/maya-torres.jpg'],
    make: async () => {
      const { buildSamplePictures, SAMPLE_PICTURES } = await import('./sample-pictures.ts');
      await buildSamplePictures(SAMPLE_PICTURES);
    },
  },
  {
    name: 'web',
    inputs: [
      ...TOOLS,
      'scripts/drawing',
      'src/web',
      'src/worker',
      'src/domain',
      'src/contract',
      'vite.config.ts',
      'package.json',
    ],
    outputs: ['build/web/index.html', 'build/renderer/entry-server.js'],
    make: async () => (await import('./web.ts')).buildWeb(),
  },
];

/** Makes whatever is not made, or was made from older sources. Production needs no pictures of a sample. */
export async function buildAll({ production = false } = {}): Promise<void> {
  for (const step of STEPS) {
    if (!(production && step.name === 'sample-pictures')) await makeUnlessFresh(step);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
