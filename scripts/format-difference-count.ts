export function formatDifferenceCount(count: number): string {
  if (count === 0) return 'No differences';
  return count === 1 ? '1 difference' : `${count} differences`;
}
