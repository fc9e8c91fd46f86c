const LINE_FEED = 10;

/**
 * Reads a file of lines as it comes.
 * @param lines how many there are below its heading; a cell may have line breaks of its own, so that more can be seen
 * @param onProgress told how much of it has come, from 0 to 1
 * @throws when it ends before all of its lines are there
 */
export async function readFile(
  answer: Response,
  lines: number,
  onProgress: (fraction: number) => void = () => {},
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let seen = -1;
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    seen += part.value.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
    onProgress(lines === 0 ? 1 : Math.max(0, Math.min(1, seen / lines)));
  }
  if (seen < lines) throw new Error(`Of ${lines} lines ${Math.max(0, seen)} came.`);
  return new Blob(parts);
}
