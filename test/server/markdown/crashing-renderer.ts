// Fake Markdown renderer that reports its environment or crashes, depending on the text.

const FAILURES: Readonly<Record<string, () => void>> = {
  'run forever': () => {
    for (;;);
  },
  'take all memory': () => {
    const messages: number[][] = [];
    for (;;) messages.push(Array.from({ length: 10_000 }, () => messages.length));
  },
  exit: () => process.exit(3),
};

process.on('message', (text: string) => {
  FAILURES[text]?.();
  process.send?.({ html: JSON.stringify(process.env) });
});
process.send?.({ ready: true });
