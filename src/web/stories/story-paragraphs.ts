export type Paragraph = { readonly key: string; readonly text: string };

/** The paragraphs of a story: what its writer set apart by a line break, without the empty ones. */
export function storyParagraphs(story: string): Paragraph[] {
  const texts = story.split(/\r?\n/).map((line) => line.trim());
  return texts.filter(Boolean).map((text, index) => ({ key: `paragraph-${index}`, text }));
}
