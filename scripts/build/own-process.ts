import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one of our scripts in a process of its own, whose memory is free again when it ends: that of all parts of the build
 * together is more than a small machine has.
 * @throws Error where it fails; it has said why
 */
export async function inOwnProcess(script: string, args: readonly string[] = [], env = process.env): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env });
  const [status, signal]: unknown[] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${script} failed (${String(status ?? signal)}).`);
}
