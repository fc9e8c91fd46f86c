import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one of our scripts in a separate process, which frees its memory when it ends. The whole build in one process would
 * need more memory than a small machine has.
 * @throws Error if the script fails; it has already printed the reason
 */
export async function runScript(script: string, args: readonly string[] = [], env = process.env): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env });
  const [status, signal]: unknown[] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${script} failed (${String(status ?? signal)}).`);
}
