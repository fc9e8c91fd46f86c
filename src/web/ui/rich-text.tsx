import { Fragment, type ReactNode } from 'react';

type RichProps = {
  /** Text with tags around some words: "Read our <faq>FAQ</faq>." */
  text: string;
  /** Renders each tag by its name. The content of an unknown tag is plain text. */
  tags: Readonly<Record<string, (content: string) => ReactNode>>;
};

/** A whole sentence with links or emphasis inside, so that each language can use its own word order. */
export function RichText({ text, tags }: RichProps) {
  // Parts repeat in groups of three: plain text, a tag's name, and the tag's content.
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/);
  return parts.map((part, index) => {
    if (index % 3 === 1) return null;
    const tag = index % 3 === 2 ? tags[parts[index - 1] ?? ''] : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are never reordered
    return <Fragment key={index}>{tag ? tag(part) : part}</Fragment>;
  });
}
