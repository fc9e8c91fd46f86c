/** Log for commands: prints warnings and errors only. */
export const COMMAND_LOG = { info: () => {}, warn: printLog, error: printLog };

function printLog(details: object, message: string): void {
  console.error(message, 'err' in details && details.err instanceof Error ? details.err.message : '');
}
