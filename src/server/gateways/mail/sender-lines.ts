import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { Parent } from '#server/deps.ts';

/** Who sends a letter about the program itself, and how to reach them, a line each. */
export function senderLines({ name, address, contactEmail }: Parent, publicUrl: string): string[] {
  return [`${PROGRAM_NAME}, ${publicUrl}, is a program of ${name}.`, address, `Questions? Write to ${contactEmail}.`];
}
