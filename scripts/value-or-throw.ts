import { Failure } from '#domain/failures.ts';

export function valueOrThrow<Value>(value: Value | Failure): Value {
  if (value instanceof Failure) throw value;
  return value;
}
