/** The part of the program's log that the store writes to; Fastify's own logger is one. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
