/** Rows of dark (true) and light modules, without the quiet zone. */
export type Modules = readonly (readonly boolean[])[];

/**
 * Decodes a QR code (ISO/IEC 18004) from its modules as a phone does: the format, the mask, the codewords in zigzag
 * order, their blocks, and the bytes. Supports undamaged codes of versions 1 to 6. No errors are corrected, so a single
 * wrong module changes the result.
 */
export function decodeQrcode(modules: Modules): string {
  const version = (modules.length - 17) / 4;
  const { level, mask } = readFormat(modules);
  const bits = readDataBits(modules, version, mask);
  const codewords = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bitsToNumber(bits.slice(index * 8, index * 8 + 8)),
  );
  return decodeText(joinBlocks(codewords, version, level));
}

type Level = keyof typeof BLOCKS;

/** For each version, starting with 1: the number of blocks, and the error correction codewords in each. */
const BLOCKS = {
  L: { blocks: [1, 1, 1, 1, 1, 2], correctionCodewords: [7, 10, 15, 20, 26, 18] },
  M: { blocks: [1, 1, 1, 2, 2, 4], correctionCodewords: [10, 16, 26, 18, 24, 16] },
  Q: { blocks: [1, 1, 2, 2, 4, 4], correctionCodewords: [13, 22, 18, 26, 18, 24] },
  H: { blocks: [1, 1, 2, 4, 4, 4], correctionCodewords: [17, 28, 22, 16, 22, 28] },
} as const;

/** Reads the level and the mask from the format bits next to the upper-left finder pattern. */
function readFormat(modules: Modules): { level: Level; mask: number } {
  const bits = [0, 1, 2, 3, 4].map((x) => modules[8]?.[x] === true);
  const format = bitsToNumber(bits) ^ 0b10101;
  const level = (['M', 'L', 'H', 'Q'] as const)[format >> 3] ?? 'L';
  return { level, mask: format & 0b111 };
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Reads columns two modules wide from right to left, alternately up and down, and skips function patterns. */
function readDataBits(modules: Modules, version: number, mask: number): boolean[] {
  const size = modules.length;
  const bits: boolean[] = [];
  let isUpward = true;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isPattern(x, y, version)) bits.push((modules[y]?.[x] === true) !== (MASKS[mask]?.(x, y) === true));
      }
    }
    isUpward = !isUpward;
  }
  return bits;
}

/** True for finder, format, and timing patterns, and for the single alignment pattern of versions 2 to 6. */
function isPattern(x: number, y: number, version: number): boolean {
  const size = version * 4 + 17;
  const isFinder = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  const middle = size - 7;
  const isAlignment = version > 1 && Math.abs(x - middle) <= 2 && Math.abs(y - middle) <= 2;
  return isFinder || isAlignment || x === 6 || y === 6;
}

/** Undoes the interleaving, one codeword from each block in turn. Later blocks may be one codeword longer. */
function joinBlocks(codewords: readonly number[], version: number, level: Level): number[] {
  const count = BLOCKS[level].blocks[version - 1] ?? 1;
  const data = codewords.length - count * (BLOCKS[level].correctionCodewords[version - 1] ?? 0);
  const shortLength = Math.floor(data / count);
  const blocks = Array.from({ length: count }, (_, block) => {
    const evenCodewords = codewords.slice(0, shortLength * count).filter((_codeword, index) => index % count === block);
    const firstLongBlock = count - (data % count);
    return block >= firstLongBlock
      ? [...evenCodewords, codewords[shortLength * count + block - firstLongBlock] ?? 0]
      : evenCodewords;
  });
  return blocks.flat();
}

/** Decodes a single byte segment: its mode, length, and text. */
function decodeText(codewords: readonly number[]): string {
  const bits = codewords.flatMap((codeword) =>
    Array.from({ length: 8 }, (_, bit) => ((codeword >> (7 - bit)) & 1) === 1),
  );
  const mode = bitsToNumber(bits.slice(0, 4));
  if (mode !== 0b0100) throw new Error(`The code uses mode ${mode} instead of bytes.`);
  const length = bitsToNumber(bits.slice(4, 12));
  const bytes = Array.from({ length }, (_, index) => bitsToNumber(bits.slice(12 + index * 8, 20 + index * 8)));
  return Buffer.from(bytes).toString('utf8');
}

function bitsToNumber(bits: readonly boolean[]): number {
  return bits.reduce((number, bit) => number * 2 + (bit ? 1 : 0), 0);
}
