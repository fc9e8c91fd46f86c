/** The part of subset-font that the build uses; the package brings no types of its own. */
declare module 'subset-font' {
  type Options = {
    targetFormat?: 'truetype' | 'woff2';
    /** A range keeps that part of a variable axis. */
    variationAxes?: Record<string, number | { min: number; max: number }>;
    /** OpenType features to keep; all, when none are named. */
    keepFeatures?: readonly string[];
    glyphNames?: boolean;
    keepAllGlyphs?: boolean;
  };
  const subsetFont: (font: Buffer, text: string, options?: Options) => Promise<Buffer>;
  export default subsetFont;
}
