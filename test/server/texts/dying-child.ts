// Stands in for the process that renders texts: it says what it knows, or dies in the way that the text names.

const WAYS: Readonly<Record<string, () => void>> = {
  'run forever': () => {
    for (;;);
  },
  'take all memory': () => {
    const taken: number[][] = [];
    for (;;) taken.push(Array.from({ length: 10_000 }, () => taken.length));
  },
  exit: () => process.exit(3),
};

process.on('message', (text: string) => {
  WAYS[text]?.();
  process.send?.({ html: JSON.stringify(process.env) });
});
process.send?.({ ready: true });
