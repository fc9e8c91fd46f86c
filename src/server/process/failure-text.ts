/** Node's error codes for files that an operator can fix. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be used: its owner or its permissions do not allow it',
  EEXIST: 'already exists',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'does not exist',
  ENOSPC: 'cannot be written: the disk is full',
  ENOTDIR: 'is not a folder, or is inside a file',
  EPERM: 'cannot be used: its owner or its permissions do not allow it',
  EROFS: 'cannot be written: the disk is read-only',
};

/** Formats the message for the operator about an error that ends the program or a command. */
export function formatFailure(error: unknown): string {
  // If none of a host name's addresses responds, Node throws an error without a message that contains one error per
  // address.
  const firstError: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (!(firstError instanceof Error)) return String(firstError);
  const cause = firstError.cause instanceof Error ? ` ${firstError.cause.message}` : '';
  return (formatFileProblem(firstError) ?? firstError.message) + cause;
}

function formatFileProblem(error: NodeJS.ErrnoException): string | undefined {
  // `mkdir` ignores existing folders, so this must be a file.
  const isFile = error.code === 'EEXIST' && error.syscall === 'mkdir';
  const problem = isFile ? 'is a file, not a folder' : FILE_PROBLEMS[error.code ?? ''];
  return error.path === undefined || problem === undefined ? undefined : `${error.path} ${problem}.`;
}
