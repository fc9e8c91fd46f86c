import { writeFile } from 'node:fs/promises';
import type { Reporter } from 'vitest/node';

/** Vitest reporter that writes one line for each error outside of a test to the file in `UNHANDLED_ERRORS`. */
export default class UnhandledErrors implements Reporter {
  async onTestRunEnd(_modules: unknown, errors: readonly { readonly message: string }[]): Promise<void> {
    const file = process.env.UNHANDLED_ERRORS;
    if (!file || errors.length === 0) return;
    await writeFile(file, errors.map(({ message }) => message.split('\n')[0]).join('\n'));
  }
}
