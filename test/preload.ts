/** Shuts the world off from unit tests: code of `src/` outside `system/` may reach the network or start programs only through a port. */
const OUTSIDE_SYSTEM = /[\\/]src[\\/](?!system[\\/])/;

/** The nearest caller in `src/` is not in `system/`: the effect did not come through a port. */
function cameThroughNoPort(): boolean {
  const caller = new Error("caller").stack?.split("\n").find((line) => /[\\/]src[\\/]/.test(line));
  return caller !== undefined && OUTSIDE_SYSTEM.test(caller);
}

function guarded<Call extends (...args: never[]) => unknown>(name: string, real: Call): Call {
  return ((...args: never[]) => {
    if (cameThroughNoPort()) throw new Error(`${name} was called outside system/: use a port`);
    return real(...args);
  }) as Call;
}

globalThis.fetch = Object.assign(guarded("fetch", globalThis.fetch), { preconnect: globalThis.fetch.preconnect });
Bun.spawn = guarded("Bun.spawn", Bun.spawn);
Bun.spawnSync = guarded("Bun.spawnSync", Bun.spawnSync);
