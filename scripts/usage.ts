import { commandLine } from '#server/program-file.ts';

/** What can be typed after a command, and what each does. */
export function usage(rows: readonly (readonly [command: string, text: string])[]): string {
  const lines = rows.map(([command, text]) => [commandLine(command), text] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(([line, text]) => `${line.padEnd(width)}  ${text}`).join('\n');
}
