// Loaded before the program, so that the whole program, including the sandbox, starts at STARTS_AT instead of now.
const realNow = Date.now;
const shift = Date.parse(process.env.STARTS_AT ?? '') - realNow();

Date.now = () => realNow() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: readonly unknown[], self) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, self),
});

export {};
